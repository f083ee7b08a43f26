import { PayPalDetails } from '#contract/payout-details.ts'
import { Form, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { TextField } from '../../ui/fields.tsx'
import { payoutDetailsWords as words } from '../../words/payout-details.ts'
import { DetailsEnd, type DetailsFormProps, useSavingDetails } from './details-form.tsx'

/** A partner's account at PayPal. */
export function PayPalForm(props: DetailsFormProps) {
  const { heading, asksPassword, onCancel } = props
  const { submit, save, passwordMissing } = useSavingDetails(props)
  const form = useContractForm(PayPalDetails, {
    initial: { kind: 'paypal' as const, email: '', currentPassword: '' },
    omit: ['currentPassword'],
    check: ({ currentPassword }) => ({ currentPassword: passwordMissing(currentPassword) }),
  })
  return (
    <Form
      form={form}
      save={save}
      label={heading}
      onSubmit={(body) => submit(body as PayPalDetails, form.values.currentPassword)}
    >
      <FormPanel heading={heading}>
        <TextField
          {...form.field('email', words.paypalEmail)}
          help={words.paypalHelp}
          type="email"
          autoComplete="email"
        />
        <DetailsEnd form={form} asksPassword={asksPassword} onCancel={onCancel} />
      </FormPanel>
    </Form>
  )
}
