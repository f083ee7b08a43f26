import { legalTypes } from '#contract/payout-details.ts'
import { bankAccountTypes, DepositInfo } from '#contract/payout-settings.ts'
import { Form, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { RadioField, TextField } from '../../ui/fields.tsx'
import { formWords, ruleWords } from '../../words/forms.ts'
import { settingsWords } from '../../words/settings.ts'
import { AddressFields, emptyAddress } from './AddressFields.tsx'
import { DetailsEnd, type DetailsFormProps, useSavingDetails } from './details-form.tsx'

type LegalType = (typeof legalTypes)[number]
type AccountType = (typeof bankAccountTypes)[number]

/** The partner's account at a bank in the United States. */
export function DepositForm(props: DetailsFormProps) {
  const { heading, asksPassword, onCancel } = props
  const { submit, save, passwordMissing } = useSavingDetails(props)
  const form = useContractForm(DepositInfo, {
    initial: {
      legalType: 'PRIVATE' as LegalType,
      name: '',
      routingNumber: '',
      accountNumber: '',
      confirmAccountNumber: '',
      accountType: 'CHECKING' as AccountType,
      address: emptyAddress,
      currentPassword: '',
    },
    omit: ['confirmAccountNumber', 'currentPassword'],
    check: ({ accountNumber, confirmAccountNumber, address, currentPassword }) => ({
      'address.state': address.state === null ? formWords.chooseState : undefined,
      confirmAccountNumber: accountNumber.trim() === confirmAccountNumber.trim() ? undefined : ruleWords.accountNumbers,
      currentPassword: passwordMissing(currentPassword),
    }),
  })
  return (
    <Form
      form={form}
      save={save}
      label={heading}
      onSubmit={(body) => submit(body as DepositInfo, form.values.currentPassword)}
    >
      <FormPanel heading={heading}>
        {onCancel && <p className="muted">{settingsWords.deposit.replacing}</p>}
        <RadioField
          {...form.field('legalType', settingsWords.deposit.legalType)}
          choices={legalTypes.map((value) => ({ value, label: settingsWords.deposit[value] }))}
        />
        <TextField {...form.field('name', settingsWords.deposit.name)} autoComplete="name" />
        <TextField
          {...form.field('routingNumber', settingsWords.deposit.routingNumber)}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          {...form.field('accountNumber', settingsWords.deposit.accountNumber)}
          help={settingsWords.deposit.accountNumberHelp}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          {...form.field('confirmAccountNumber', settingsWords.deposit.confirmAccountNumber)}
          inputMode="numeric"
          autoComplete="off"
        />
        <RadioField
          {...form.field('accountType', settingsWords.deposit.accountType)}
          choices={bankAccountTypes.map((value) => ({ value, label: settingsWords.deposit[value] }))}
        />
        <AddressFields form={form} />
        <DetailsEnd form={form} asksPassword={asksPassword} onCancel={onCancel} />
      </FormPanel>
    </Form>
  )
}
