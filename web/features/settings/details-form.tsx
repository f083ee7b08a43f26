import { useMemo, useRef } from 'react'
import { confirmPassword } from '#contract/auth.ts'
import { type PayoutDetails, savePayoutSettings } from '#contract/payout-settings.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { explainWrongPassword } from '../../shared/wrong-password.ts'
import { FormActions, type FormWith } from '../../ui/contract-form.tsx'
import { PasswordField } from '../../ui/fields.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'

/** Common props of the forms of payout details. */
export type DetailsFormProps = {
  heading: string
  partnerId: string
  /** Details were saved before, so the password must be confirmed. */
  asksPassword: boolean
  onSaved: () => void
  /** Returns to the saved details; absent if there are none. */
  onCancel?: (() => void) | undefined
}

/** Confirms the password if required, then saves; the form shows the refusal of either. */
export function useSavingDetails({ partnerId, asksPassword, onSaved }: DetailsFormProps) {
  const proof = useCall(confirmPassword)
  const save = useCall(savePayoutSettings, {
    onSuccess: () => {
      showToast(settingsWords.deposit.saved)
      onSaved()
    },
  })
  const working = useRef(false)
  async function submit(body: PayoutDetails, password: string) {
    if (working.current) return
    working.current = true
    try {
      if (asksPassword) await proof.send({ body: { password } })
      await save.send({ params: { id: partnerId }, body })
    } catch (error) {
      // Shown from the call that was refused.
      if (!(error instanceof CallError)) throw error
    } finally {
      working.current = false
    }
  }
  const wrong = useMemo(() => {
    const message = proof.error && explainWrongPassword(proof.error)
    return message
      ? new CallError(message, { status: 422, code: 'validation_failed', fields: { currentPassword: message } })
      : proof.error
  }, [proof.error])
  return {
    submit,
    save: { busy: proof.busy || save.busy, error: wrong ?? save.error, saved: save.saved },
    /** The mistake in the password of these values. */
    passwordMissing: (password: string) =>
      asksPassword && !password ? basicWords.rules.required({ label: labelWords.currentPassword }) : undefined,
  }
}

type EndProps = Pick<DetailsFormProps, 'asksPassword' | 'onCancel'> & { form: FormWith<{ currentPassword: string }> }

/** The password, the buttons and what saving means. */
export function DetailsEnd({ form, asksPassword, onCancel }: EndProps) {
  return (
    <>
      {asksPassword && <PasswordField {...form.field('currentPassword')} autoComplete="current-password" />}
      <FormActions submit={settingsWords.deposit.save} {...(onCancel && { cancel: onCancel })} />
      {asksPassword && <p className="muted small">{settingsWords.deposit.consequence}</p>}
    </>
  )
}
