import { useMemo, useRef } from 'react'
import { confirmPassword } from '#contract/auth.ts'
import { legalTypes } from '#contract/payout-details.ts'
import { bankAccountTypes, DepositInfo, savePayoutSettings } from '#contract/payout-settings.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { explainWrongPassword } from '../../shared/wrong-password.ts'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { PasswordField, RadioField, TextField } from '../../ui/fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { formWords, ruleWords } from '../../words/forms.ts'
import { settingsWords } from '../../words/settings.ts'
import { AddressFields, emptyAddress } from './AddressFields.tsx'

type LegalType = (typeof legalTypes)[number]
type AccountType = (typeof bankAccountTypes)[number]

type Props = {
  heading: string
  partnerId: string
  /** Details were saved before, so the password must be confirmed. */
  asksPassword: boolean
  onSaved: () => void
  /** Returns to the saved details; absent if there are none. */
  onCancel?: () => void
}

/** The partner's account at a bank in the United States. */
export function DepositForm({ heading, partnerId, asksPassword, onSaved, onCancel }: Props) {
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
      currentPassword:
        asksPassword && !currentPassword ? basicWords.rules.required({ label: labelWords.currentPassword }) : undefined,
    }),
  })
  const { save, submit } = useSaving(partnerId, () => {
    toast(settingsWords.deposit.saved)
    onSaved()
  })
  return (
    <Form
      form={form}
      save={save}
      label={heading}
      onSubmit={(body) => submit(body as DepositInfo, asksPassword ? form.values.currentPassword : null)}
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
        {asksPassword && <PasswordField {...form.field('currentPassword')} autoComplete="current-password" />}
        <FormActions submit={settingsWords.deposit.save} cancel={onCancel} />
        {asksPassword && <p className="muted small">{settingsWords.deposit.consequence}</p>}
      </FormPanel>
    </Form>
  )
}

/** Confirms the password if required, then saves; the form shows the refusal of either. */
function useSaving(partnerId: string, onSuccess: () => void) {
  const proof = useCall(confirmPassword)
  const save = useCall(savePayoutSettings, { onSuccess })
  const working = useRef(false)
  async function submit(body: DepositInfo, password: string | null) {
    if (working.current) return
    working.current = true
    try {
      if (password !== null) await proof.send({ body: { password } })
      await save.send({ params: { id: partnerId }, body })
    } catch (error) {
      // Shown from the call that was refused.
      if (!(error instanceof CallError)) throw error
    } finally {
      working.current = false
    }
  }
  const wrong = useMemo(() => {
    const said = proof.error && explainWrongPassword(proof.error)
    return said
      ? new CallError(said, { status: 422, code: 'validation_failed', fields: { currentPassword: said } })
      : proof.error
  }, [proof.error])
  return { submit, save: { busy: proof.busy || save.busy, error: wrong ?? save.error, saved: save.saved } }
}
