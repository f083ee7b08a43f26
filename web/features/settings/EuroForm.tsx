import { IbanDetails, legalTypes } from '#contract/payout-details.ts'
import type { PayoutForm } from '#contract/payout-form.ts'
import { Form, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { RadioField, TextField } from '../../ui/fields.tsx'
import { settingsWords } from '../../words/settings.ts'
import { DetailsEnd, type DetailsFormProps, useSavingDetails } from './details-form.tsx'
import { EuroAddressFields } from './EuroAddressFields.tsx'

type Props = DetailsFormProps & { countries: PayoutForm['countries']; country: string }

/** A partner's account in euros. */
export function EuroForm({ countries, country, ...props }: Props) {
  const { heading, asksPassword, onCancel } = props
  const { submit, save, passwordMissing } = useSavingDetails(props)
  const form = useContractForm(IbanDetails, {
    initial: {
      kind: 'iban' as const,
      legalType: 'PRIVATE' as (typeof legalTypes)[number],
      name: '',
      iban: '',
      bic: '',
      address: { addressLine: '', city: '', zipCode: '', country: country as string | null },
      currentPassword: '',
    },
    omit: ['currentPassword'],
    check: ({ currentPassword }) => ({ currentPassword: passwordMissing(currentPassword) }),
  })
  return (
    <Form
      form={form}
      save={save}
      label={heading}
      onSubmit={(body) => submit(body as IbanDetails, form.values.currentPassword)}
    >
      <FormPanel heading={heading}>
        <RadioField
          {...form.field('legalType', settingsWords.deposit.legalType)}
          choices={legalTypes.map((value) => ({ value, label: settingsWords.deposit[value] }))}
        />
        <TextField {...form.field('name', settingsWords.deposit.name)} autoComplete="name" />
        <TextField
          {...form.field('iban', settingsWords.deposit.iban)}
          help={settingsWords.deposit.accountNumberHelp}
          autoComplete="off"
        />
        <TextField {...form.field('bic', settingsWords.deposit.bic)} optional autoComplete="off" />
        <EuroAddressFields form={form} countries={countries.map(({ code, name }) => ({ value: code, label: name }))} />
        <DetailsEnd form={form} asksPassword={asksPassword} onCancel={onCancel} />
      </FormPanel>
    </Form>
  )
}
