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
import { t } from '../../words.ts'
import styles from './Settings.module.css'

type Deposit = NonNullable<PayoutSettings['depositInfo']>
type Props = { partnerId: string; deposit: Deposit; updatedAt: string | null; onReplace: () => void }

/** The saved details as returned by the server: only the last four digits of numbers. */
export function SavedDeposit({ partnerId, deposit, updatedAt, onReplace }: Props) {
  const { timeZone } = useAccount()
  const [removing, setRemoving] = useState(false)
  const facts: Fact[] = [
    { label: t('settings.deposit.legalType'), value: t(`settings.deposit.${deposit.legalType}`) },
    { label: t('settings.deposit.name'), value: deposit.name },
    { label: t('settings.deposit.routingNumber'), value: <code>{deposit.routingNumber}</code> },
    { label: t('settings.deposit.accountNumber'), value: <code>{deposit.accountNumber}</code> },
    { label: t('settings.deposit.accountType'), value: t(`settings.deposit.${deposit.accountType}`) },
    { label: t('settings.deposit.address'), value: lineOf(deposit.address) },
    ...(updatedAt ? [{ label: t('settings.deposit.changed'), value: formatLongDateTime(updatedAt, timeZone) }] : []),
  ]
  return (
    <>
      <Facts beside label={t('settings.deposit.heading')} facts={facts} />
      <div className={styles.actions}>
        <Button onClick={onReplace}>{t('settings.deposit.replace')}</Button>
        <Button look="remove" onClick={() => setRemoving(true)}>
          {t('settings.deposit.remove')}
        </Button>
      </div>
      <p className={styles.consequence}>{t('settings.deposit.consequence')}</p>
      {removing && <Remove partnerId={partnerId} onClose={() => setRemoving(false)} />}
    </>
  )
}

function lineOf({ addressLine, city, state, zipCode }: Deposit['address']) {
  const name = usStates.find(({ code }) => code === state)?.name ?? state.toUpperCase()
  return `${addressLine}, ${city}, ${name} ${zipCode}, ${t('countries.us')}`
}

function Remove({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const heading = t('settings.deposit.remove')
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
    toast(t('settings.deposit.removed'))
    onClose()
  })
  return (
    <Dialog heading={heading} onClose={onClose} busy={save.busy}>
      <p>{t('settings.deposit.removeText')}</p>
      <FormFrame form={form} save={save} onSubmit={save.send}>
        <PasswordField
          {...form.field('password', t('settings.deposit.currentPassword'))}
          autoComplete="current-password"
          data-first-focus
        />
        <DialogActions>
          <SubmitButton look="danger">{heading}</SubmitButton>
          <Button disabled={save.busy} onClick={onClose}>
            {t('dialog.cancel')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  )
}
