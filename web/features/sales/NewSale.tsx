import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import type { Account } from '#contract/accounts.ts'
import { addDays } from '#contract/days.ts'
import { createLead, type Lead } from '#contract/leads.ts'
import { createSale, NewSale as NewSaleBody, type Sale } from '#contract/sales.ts'
import { parseMoney, typedMoney } from '#contract/typed-numbers.ts'
import type { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { formatDate, formatMoney, formatMonthAndDay, todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { LeadField } from '../../shared/LeadPicker.tsx'
import { ToLead } from '../../shared/links.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { ProductField, toSaleLine, useProducts } from '../../shared/ProductsField.tsx'
import { leadQuery, partnerQuery, saleQuery } from '../../shared/queries.ts'
import { productsIn, termsStateQuery } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { accountStatsQuery } from '../../shell/queries.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form, FormActions, FormPanel, type FormWith, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { CheckboxField, DateField, FieldPair, MoneyField, SelectField, TextField } from '../../ui/fields.tsx'
import type { Messages } from '../../ui/form-values.ts'
import { Message } from '../../ui/Message.tsx'
import { Page } from '../../ui/Page.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { email, required } from '../../ui/use-form.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { fieldHelpWords, ruleWords } from '../../words/forms.ts'
import { leadWords, saleWords } from '../../words/leads.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { termsWords } from '../../words/terms.ts'
import { anyPayoutQuery, onlyPartnerQuery, salesOfDayQuery } from './queries.ts'
import { SaleSplit } from './SaleSplit.tsx'
import type { Customer } from './Unearned.tsx'
import { addedBy } from './words.ts'

const toLeads = <Link to="/leads">{pageWords.leads}</Link>
const toSales = (
  <Link to="/leads" search={{ tab: 'sales' }}>
    {fieldWords.sales}
  </Link>
)

/** The form for a sale entered by hand, whose lead is chosen in it or is new. */
export function NewSale() {
  const account = useOwnAccount()
  return (
    <Page heading={pageWords.addSale} parent={toSales}>
      <SaleForm account={account} lead={null} />
    </Page>
  )
}

/** The form for a sale of this lead, with a preview of the commission it earns. */
export const NewSaleOfLead = ({ leadId }: { leadId: string }) => (
  <ThingPage query={leadQuery(leadId)} shape="form" heading={pageWords.addSale} parent={toLeads} gone={leadWords.gone}>
    {(lead) => <OfLead lead={lead} />}
  </ThingPage>
)

function OfLead({ lead }: { lead: Lead }) {
  const account = useOwnAccount()
  const toLead = <ToLead id={lead.id}>{lead.displayName}</ToLead>
  return (
    <Page heading={pageWords.addSale} parent={[toLeads, toLead]}>
      <SaleForm account={account} lead={lead} />
    </Page>
  )
}

/** Returns the last day allowed: a later one is in the future both in the account's time zone and in UTC. */
function lastDay(timeZone: string) {
  const [here, there] = [todayIn(timeZone), todayIn('UTC')]
  return here > there ? here : there
}

/** A choice in the place of a lead. */
const NEW_CUSTOMER = 'new'

/** Without a `lead`, the form asks for it. */
function SaleForm({ account, lead: given }: { account: Account; lead: Lead | null }) {
  const leave = useLeaveForm()
  const today = todayIn(account.timeZone)
  const last = lastDay(account.timeZone)
  const form = useContractForm(NewSaleBody, {
    initial: {
      ...useFirstCustomer(account.id, given === null),
      amount: '' as number | string,
      currency: account.defaultCurrency,
      saleDate: today,
      description: '',
      externalId: '',
      product: '',
      different: false,
    },
    omit: ['leadId', 'email', 'partnerId', 'product', 'different'],
    check: ({ leadId, email: typed, saleDate, different }) => ({
      ...(given === null && mistakesInCustomer(leadId, typed)),
      saleDate: saleDate > last ? ruleWords.notFuture : undefined,
      different: alike && !different ? saleWords.new.confirmDifferent : undefined,
    }),
  })
  const { amount, currency, saleDate, product } = form.values
  const customer = useCustomer(given, form.values)
  const products = useProductsOfTerms(customer)
  const known = useProducts(account.id, products.length > 0)
  const lines = product && typeof amount === 'number' ? [toSaleLine(product.trim(), amount, known)] : undefined
  const alike = useSaleLike(account.id, customer.leadId, form.values)
  const { set } = form
  const alikeId = alike?.id
  // The confirmation applies to one similar sale only, so another one resets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another sale asks anew
  useEffect(() => {
    if (alikeId) set({ different: false })
  }, [alikeId])

  const toLead = (leadId: string) => ({ to: '/leads/$leadId', params: { leadId } }) as const
  const add = useCall(createLead, { oneOfMany: true })
  const record = useCall(createSale, {
    onSuccess: (_, { params }) => {
      showToast(toastWords.added({ resource: fieldWords.sale }))
      return leave(toLead(params.id))
    },
  })
  /** The new customers already added: if their sale is refused, a second press records it only. */
  const added = useRef(new Map<string, string>())
  async function submit(body: z.input<typeof NewSaleBody>) {
    const { email, partnerId } = form.values
    const who = JSON.stringify([email, partnerId])
    const known = customer.leadId ?? added.current.get(who)
    const id = known ?? (await add.send({ params: { id: account.id }, body: { email, partnerId } })).id
    if (!known) added.current.set(who, id)
    await record.send({ params: { id }, body: { ...body, lines } })
  }
  const save = { ...record, busy: add.busy || record.busy, error: add.error ?? record.error }

  /** Keeps the text as entered: 12.50 in another currency is still 12.50. */
  function changeCurrency(chosen: string | null) {
    const next = chosen ?? account.defaultCurrency
    const typed = typeof amount === 'number' ? typedMoney(amount, currency) : amount
    form.field('currency').onChange(next)
    // 1.250 dinars are 1.25 in another currency, where '1.250' is no amount
    const bare = typeof amount === 'number' ? typed.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : typed
    set({ amount: typed === '' ? '' : (parseMoney(bare, next) ?? typed) })
  }

  const { field } = form
  return (
    <TwoColumns
      form
      aside={<SaleSplit account={account} lead={customer} sale={{ amount, currency, saleDate, lines }} last={last} />}
    >
      <Form
        form={form}
        save={save}
        label={pageWords.addSale}
        onSubmit={(body) => void submit(body).catch(() => undefined)}
      >
        <FormPanel>
          {given === null && <CustomerFields account={account} form={form} error={add.error} />}
          <FieldPair>
            <MoneyField {...field('amount', labelWords.amount)} currency={currency} help={saleWords.new.amountHelp} />
            <SelectField
              {...field('currency', labelWords.currency)}
              choices={choicesFrom(account.defaultCurrency)}
              onChange={changeCurrency}
            />
          </FieldPair>
          <DateField
            {...field('saleDate', labelWords.saleDate)}
            max={last}
            help={<WhenPayable account={account} saleDate={saleDate} today={today} />}
          />
          {products.length > 0 && (
            <ProductField
              {...field('product', termsWords.condition.products)}
              accountId={account.id}
              products={products}
            />
          )}
          <FieldPair>
            <TextField {...field('description', fieldWords.description)} autoComplete="off" optional />
            <TextField
              {...field('externalId', labelWords.externalId)}
              autoComplete="off"
              help={fieldHelpWords.externalId}
              optional
            />
          </FieldPair>
          <Taken error={record.error} />
          {alike && (
            <Message kind="warning">
              <div className="stack gap-2">
                <strong>{saleWords.new.looksKnown}</strong>
                <p>
                  {saleWords.new.known({
                    amount: shown(alike),
                    date: formatDate(alike.saleDate),
                    how: addedBy(alike.provider),
                  })}{' '}
                  <ToSale sale={alike} />
                </p>
                <CheckboxField {...field('different', saleWords.new.different)} />
              </div>
            </Message>
          )}
          <FormActions
            submit={pageWords.addSale}
            cancel={given ? toLead(given.id) : { to: '/leads', search: { tab: 'sales' } }}
          />
        </FormPanel>
      </Form>
    </TwoColumns>
  )
}

type CustomerValues = { leadId: string | null; email: string; partnerId: string | null }

/** Returns the customer that the form begins with: a new one in an account without leads, of its only partner. */
function useFirstCustomer(accountId: string, asked: boolean): CustomerValues {
  const stats = useQuery({ ...accountStatsQuery(accountId), enabled: asked }).data
  const isFirst = stats?.numberOfLeads === 0
  const { data } = useQuery({ ...onlyPartnerQuery(accountId), enabled: isFirst })
  const partnerId = data?.total === 1 ? (data.items[0]?.id ?? null) : null
  return { leadId: isFirst ? NEW_CUSTOMER : null, email: '', partnerId }
}

function mistakesInCustomer(leadId: string | null, typed: string): Messages {
  if (leadId === null) return { leadId: basicWords.rules.required({ label: labelWords.lead }) }
  const label = basicWords.fields.email
  return leadId === NEW_CUSTOMER ? { email: required(typed, label, null) ?? email(typed, label, null) } : {}
}

/** Returns whose sale it is as far as known: the lead's facts, or a new customer's partner. */
function useCustomer(given: Lead | null, { leadId, partnerId }: CustomerValues): Customer {
  const chosen = leadId === NEW_CUSTOMER ? null : leadId
  const lead = useQuery({ ...leadQuery(chosen ?? ''), enabled: chosen !== null }).data
  const isNew = given === null && leadId === NEW_CUSTOMER
  const partner = useQuery({ ...partnerQuery(partnerId ?? ''), enabled: isNew && partnerId !== null }).data
  const known = given ?? (chosen ? lead : undefined)
  if (known) return { ...known, leadId: known.id }
  const nobody = { leadId: chosen, partnerId: null, partnerName: null, blueprintId: null }
  return isNew ? { ...nobody, partnerId, partnerName: partner?.displayName ?? null } : nobody
}

type CustomerFieldsProps = {
  account: Account
  form: FormWith<CustomerValues> & { set: (values: Partial<CustomerValues>) => void }
  error: CallError | null
}

/** The lead of the sale, or the new customer's email and partner. */
function CustomerFields({ account: { id }, form: { values, field, set }, error }: CustomerFieldsProps) {
  const known = error?.code === 'duplicate' ? String(error.details.leadId ?? '') : ''
  const isNew = values.leadId === NEW_CUSTOMER
  const chosen = useQuery({ ...leadQuery(values.leadId ?? ''), enabled: values.leadId !== null && !isNew }).data
  return (
    <>
      <LeadField
        {...field('leadId', labelWords.lead)}
        accountId={id}
        placeholder={saleWords.new.chooseLead}
        valueLabel={isNew ? saleWords.new.newCustomer : chosen?.displayName}
        fixed={[{ value: NEW_CUSTOMER, label: saleWords.new.newCustomer }]}
      />
      {isNew && (
        <>
          <TextField {...field('email', basicWords.fields.email)} type="email" autoComplete="off" />
          {known && (
            <Message
              kind="warning"
              action={
                <Button small onClick={() => set({ leadId: known })}>
                  {saleWords.new.useKnown}
                </Button>
              }
            >
              {leadWords.form.known}
            </Message>
          )}
          <PartnerField {...field('partnerId', labelWords.partner)} accountId={id} optional />
        </>
      )}
    </>
  )
}

/** Returns, until the account has a payout, when the sale's commission can be paid and how to try it now. */
function WhenPayable({ account, saleDate, today }: { account: Account; saleDate: string; today: string }) {
  const { data } = useQuery(anyPayoutQuery(account.id))
  if (data?.total !== 0 || !/^\d{4}-\d\d-\d\d$/.test(saleDate)) return null
  const { payoutDelay: delay } = account
  const due = addDays(saleDate, delay)
  if (due <= today) return saleWords.new.payableNow
  return saleWords.new.payableLater({
    date: formatMonthAndDay(due, today),
    before: formatMonthAndDay(addDays(today, -delay), today),
  })
}

/** Returns the products named by the terms that the lead's sales may have. */
function useProductsOfTerms({ partnerId, blueprintId }: Customer) {
  const ofPartner = useQuery({
    ...termsStateQuery({ of: 'partner', id: partnerId ?? '' }),
    enabled: partnerId !== null,
  })
  const ofLink = useQuery({ ...termsStateQuery({ of: 'link', id: blueprintId ?? '' }), enabled: blueprintId !== null })
  return productsIn([ofPartner, ofLink].flatMap(({ data }) => data?.inForce.terms ?? []))
}

const shown = ({ amount, currency, accountCurrency }: Sale) => formatMoney(amount ?? 0, currency, accountCurrency)

/** Lists the account's own currency first. */
function choicesFrom(own: string) {
  const all = currencyChoices()
  return [...all.filter(({ value }) => value === own), ...all.filter(({ value }) => value !== own)]
}

/** Returns a sale of this lead with the same amount and day, once typing has paused. */
function useSaleLike(
  accountId: string,
  leadId: string | null,
  entered: { amount: number | string; currency: string; saleDate: string },
) {
  const day = useDebounced(entered.saleDate, 300)
  const { data } = useQuery({
    ...salesOfDayQuery(accountId, leadId ?? '', day),
    enabled: leadId !== null && /^\d{4}-\d\d-\d\d$/.test(day),
  })
  return data?.items.find(
    ({ amount, currency, saleDate, status }) =>
      status !== 'void' && amount === entered.amount && currency === entered.currency && saleDate === entered.saleDate,
  )
}

/** Names the sale that already has the external id. */
function Taken({ error }: { error: CallError | null }) {
  const id = error?.code === 'duplicate' ? String(error.details.saleId ?? '') : ''
  const { data } = useQuery({ ...saleQuery(id), enabled: id !== '' })
  if (!id || !data) return null
  return (
    <Message kind="warning">
      {saleWords.new.taken({ amount: shown(data), date: formatDate(data.saleDate) })} <ToSale sale={data} />
    </Message>
  )
}

function ToSale({ sale: { id, leadId } }: { sale: Sale }) {
  if (!leadId) return null
  return (
    <Link to="/leads/$leadId" params={{ leadId }} hash={`sale-${id}`}>
      {saleWords.new.viewKnown}
    </Link>
  )
}
