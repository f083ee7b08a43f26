import { useState } from 'react'
import { deletePayoutSettings, type PayoutSettings, usStates } from '#contract/payout-settings.ts'
import { useCall } from '../../calls.ts'
import { formatLongDateTime } from '../../format.ts'
import { explainWrongPassword, proveFreshPassword } from '../../shared/FreshPassword.tsx'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { FormFrame, PasswordField, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toasts.ts'
import { required, useForm, useSend } from '../../ui/use-form.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { dialogWords, pieceWords } from '../../words/pieces.ts'
import { settingsWords } from '../../words/settings.ts'

type Deposit = NonNullable<PayoutSettings['depositInfo']>
type Props = { partnerId: string; deposit: Deposit; updatedAt: string | null; onReplace: () => void }

/** The saved details as returned by the server: only the last four digits of numbers. */
export function SavedDeposit({ partnerId, deposit, updatedAt, onReplace }: Props) {
  const { timeZone } = useAccount()
  const [removing, setRemoving] = useState(false)
  const facts: Fact[] = [
    { label: settingsWords.deposit.legalType, value: settingsWords.deposit[deposit.legalType] },
    { label: settingsWords.deposit.name, value: deposit.name },
    { label: settingsWords.deposit.routingNumber, value: <code>{deposit.routingNumber}</code> },
    { label: settingsWords.deposit.accountNumber, value: <code>{deposit.accountNumber}</code> },
    { label: settingsWords.deposit.accountType, value: settingsWords.deposit[deposit.accountType] },
    { label: fieldWords.address, value: lineOf(deposit.address) },
    ...(updatedAt ? [{ label: settingsWords.deposit.changed, value: formatLongDateTime(updatedAt, timeZone) }] : []),
  ]
  return (
    <>
      <Facts beside label={settingsWords.deposit.heading} facts={facts} />
      <div className="row">
        <Button onClick={onReplace}>{settingsWords.deposit.replace}</Button>
        <Button look="remove" onClick={() => setRemoving(true)}>
          {settingsWords.deposit.remove}
        </Button>
      </div>
      <p className="muted small">{settingsWords.deposit.consequence}</p>
      {removing && <Remove partnerId={partnerId} onClose={() => setRemoving(false)} />}
    </>
  )
}

function lineOf({ addressLine, city, state, zipCode }: Deposit['address']) {
  const name = usStates.find(({ code }) => code === state)?.name ?? state.toUpperCase()
  return `${addressLine}, ${city}, ${name} ${zipCode}, ${pieceWords.countries.us}`
}

function Remove({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const heading = settingsWords.deposit.remove
  const remove = useCall(deletePayoutSettings)
  const form = useForm({
    initial: { password: '' },
    rules: { password: [required] },
    explain: explainWrongPassword,
    retryAt: 'password',
  })
  const save = useSend(async ({ password }: { password: string }) => {
    await proveFreshPassword(password)
    await remove.send({ params: { id: partnerId } })
    toast(settingsWords.deposit.removed)
    onClose()
  })
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p>{settingsWords.deposit.removeText}</p>
      <FormFrame form={form} save={save} onSubmit={save.send}>
        <PasswordField
          {...form.field('password', labelWords.currentPassword)}
          autoComplete="current-password"
          data-first-focus
        />
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
