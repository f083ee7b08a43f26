import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import {
  changeInvoicing,
  getInvoicing,
  InvoicingChange,
  type Invoicing as Saved,
  taxFormPolicies,
} from '#contract/invoices.ts'
import { type JournalAccount, journalAccountNames } from '#contract/journal-accounts.ts'
import { useCall } from '../../calls.ts'
import { invoicingQuery } from '../../shared/invoices.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { PartyFields, partyValues } from '../../shared/PartyFields.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { Facts } from '../../ui/Facts.tsx'
import {
  FieldPair,
  NumberField,
  RateField,
  SelectField,
  SwitchField,
  TextAreaField,
  TextField,
} from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { invoiceWords, partyWords, invoicingWords as words } from '../../words/invoices.ts'
import { settingsWords } from '../../words/settings.ts'
import { payerWords } from '../../words/tax-forms.ts'

/**
 * The account as the payer of its partners: its invoices, their numbers, US tax forms and the names of the journal's
 * accounts.
 */
export function Invoicing({ account }: { account: Account }) {
  const may = usePermission()(getInvoicing)
  const answer = useQuery({ ...invoicingQuery(account.id), enabled: may })
  if (!may) return <OnlyRead needs={getInvoicing} />
  if (!answer.data)
    return (
      <Panel>
        <Pending answer={answer} rows={6} />
      </Panel>
    )
  return <Settings accountId={account.id} saved={answer.data} />
}

const journalAccounts = Object.keys(journalAccountNames) as JournalAccount[]

const valuesOf = (saved: Saved) => ({
  enabled: saved.enabled,
  required: saved.required,
  ...partyValues(saved),
  vatRate: (saved.vatRate ?? '') as number | string,
  prefix: saved.prefix,
  taxForms: saved.taxForms,
  ein: saved.ein ?? '',
  phone: saved.phone ?? '',
  journalAccounts: saved.journalAccounts,
})
type Values = ReturnType<typeof valuesOf>

/** Whether an account of the journal has a name of the owner's own. */
const isNamed = ({ journalAccounts: names }: Saved, name: JournalAccount) => names[name] !== journalAccountNames[name]

/** Fields that an invoice must contain, by their labels. */
const missingIn = ({ enabled, legalName, address, country, vatRate }: Values) => {
  const absent = (value: unknown, label: string) =>
    enabled && (value === '' || value === null) ? basicWords.rules.required({ label }) : undefined
  return {
    legalName: absent(legalName, partyWords.legalName),
    'address.addressLine': absent(address.addressLine, labelWords.address),
    'address.city': absent(address.city, labelWords.city),
    country: absent(country, labelWords.country),
    vatRate: absent(vatRate, words.vatRate),
  }
}

function Settings({ accountId, saved }: { accountId: string; saved: Saved }) {
  const form = useContractForm(InvoicingChange, {
    initial: valuesOf(saved),
    optional: ['address'],
    check: missingIn,
  })
  const save = useCall(changeInvoicing, {
    onSuccess(next) {
      form.saved(valuesOf(next))
      showToast(words.saved)
    },
  })
  const { field, values } = form
  return (
    <TwoColumns form aside={(values.enabled || saved.nextNumber > 1) && <Series accountId={accountId} saved={saved} />}>
      <Form
        form={form}
        save={save}
        label={settingsWords.invoices}
        onSubmit={(_, changes) => save.mutate({ params: { id: accountId }, body: changes })}
      >
        <FormPanel heading={words.heading} help={words.help}>
          <SwitchField {...field('enabled', words.enabled)} />
          {values.enabled && (
            <>
              <PartyFields form={form} electronic />
              <Sending country={values.country} />
              <FieldPair>
                <RateField {...field('vatRate', words.vatRate)} help={words.vatRateHelp} wrong={words.vatRateWrong} />
                <TextField {...field('prefix', words.prefix)} autoCapitalize="characters" spellCheck={false} />
              </FieldPair>
              <SwitchField {...field('required', words.required)} help={words.requiredHelp} />
            </>
          )}
        </FormPanel>
        <FormPanel heading={payerWords.heading} help={payerWords.help}>
          <SelectField
            {...field('taxForms', payerWords.taxForms)}
            help={payerWords.taxFormsHelp[values.taxForms]}
            choices={taxFormPolicies.map((value) => ({ value, label: payerWords.policies[value] }))}
          />
          {values.taxForms !== 'off' && (
            <>
              {!values.enabled && <PartyFields form={form} />}
              <FieldPair>
                <TextField {...field('ein', payerWords.ein)} optional inputMode="numeric" autoComplete="off" />
                <TextField {...field('phone', payerWords.phone)} optional inputMode="tel" autoComplete="tel" />
              </FieldPair>
            </>
          )}
        </FormPanel>
        <MoreOptions form={form} open={journalAccounts.some((name) => isNamed(saved, name))}>
          <FormPanel heading={words.journal} help={words.journalHelp}>
            {journalAccounts.map((name) => (
              <TextField
                key={name}
                {...field(`journalAccounts.${name}`, words.accounts[name])}
                optional
                placeholder={journalAccountNames[name]}
              />
            ))}
          </FormPanel>
        </MoreOptions>
        <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(saved))} />
      </Form>
    </TwoColumns>
  )
}

/** One sentence on how the account’s country wants electronic invoices sent. */
function Sending({ country }: { country: string | null }) {
  const { peppol, platform, national } = words.sending
  const systems: Partial<Record<string, string>> = words.systems
  const system = country && systems[country]
  const text = country === 'BE' ? peppol : country === 'FR' ? platform : system ? national({ system }) : null
  return text && <Message kind="info">{text}</Message>
}

/** The next number of the series, which an owner may move up, and must enter after a restore. */
function Series({ accountId, saved }: { accountId: string; saved: Saved }) {
  const { prefix, nextNumber, unsure } = saved
  return (
    <Panel heading={words.series}>
      <Facts label={words.series} facts={[{ label: words.next, value: `${prefix}${nextNumber}`, strong: true }]} />
      <div className="stack inset">
        {unsure && <Message kind="warning">{invoiceWords.unsure}</Message>}
        <div>
          <ActButton look={unsure ? 'primary' : undefined} act={NextNumber} of={{ id: accountId, ...saved }} />
        </div>
      </div>
    </Panel>
  )
}

const labelOfSeries = ({ unsure }: Pick<Saved, 'unsure'>) => (unsure ? invoiceWords.enter : words.enter.open)

const NextNumber = exposeAction(
  defineFormAction(
    changeInvoicing,
    InvoicingChange.pick({ nextNumber: true, reason: true }),
    ({ nextNumber, unsure }: Saved & { id: string }) => ({
      heading: labelOfSeries({ unsure }),
      submit: words.enter.save,
      done: words.enter.done,
      initial: { nextNumber: nextNumber as number | string, reason: '' },
      check: ({ nextNumber: number, reason }) => ({
        nextNumber: number === '' ? basicWords.rules.required({ label: words.enter.number }) : undefined,
        reason: reason.trim() === '' ? basicWords.rules.required({ label: words.enter.reason }) : undefined,
      }),
      fields: ({ field }) => (
        <>
          <NumberField {...field('nextNumber', words.enter.number)} help={words.enter.numberHelp} data-first-focus />
          <TextAreaField {...field('reason', words.enter.reason)} help={words.enter.reasonHelp} />
        </>
      ),
    }),
  ),
  { label: labelOfSeries },
)
