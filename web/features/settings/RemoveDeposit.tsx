import { confirmPassword } from '#contract/auth.ts'
import { deletePayoutSettings } from '#contract/payout-settings.ts'
import { callApi } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { explainWrongPassword } from '../../shared/wrong-password.ts'
import { useMe } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { FormFrame, PasswordField, SubmitButton } from '../../ui/form.tsx'
import { showToast } from '../../ui/toasts.ts'
import { required, useForm, useSend } from '../../ui/use-form.ts'
import { labelWords } from '../../words/fields.ts'
import { dialogWords } from '../../words/pieces.ts'
import { settingsWords } from '../../words/settings.ts'

/** Removes the saved details, with the password of a person without a second factor; else the call asks for it. */
export function RemoveDeposit({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const heading = settingsWords.deposit.remove
  const remove = useCall(deletePayoutSettings)
  const asksPassword = useMe().secondFactor !== 'on'
  const form = useForm({
    initial: { password: '' },
    rules: asksPassword ? { password: [required] } : {},
    explain: explainWrongPassword,
    retryAt: 'password',
  })
  const save = useSend(async ({ password }: { password: string }) => {
    if (asksPassword) await callApi(confirmPassword, { body: { password } })
    await remove.send({ params: { id: partnerId } })
    showToast(settingsWords.deposit.removed)
    onClose()
  })
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p>{settingsWords.deposit.removeText}</p>
      <FormFrame form={form} save={save} onSubmit={save.send}>
        {asksPassword && (
          <PasswordField
            {...form.field('password', labelWords.currentPassword)}
            autoComplete="current-password"
            data-first-focus
          />
        )}
        <DialogActions>
          <SubmitButton look="danger">{heading}</SubmitButton>
          <Button disabled={save.busy} onClick={onClose}>
            {dialogWords.cancel}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  )
}
