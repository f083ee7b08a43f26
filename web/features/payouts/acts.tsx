import { type ReactNode, useState } from 'react'
import { cancelPayout, markPayoutPaid, PaidPayout, type Payout, retryPayout } from '#contract/payouts.ts'
import { formatMoney, todayIn } from '../../format.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DateField, TextField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { numberOf } from './words.ts'

export type Act = 'approve' | 'retry' | 'cancel' | 'markPaid'

/** What may be done with a payout in its state; a blocked one is approved once what blocks it is gone. */
export function actsOf({ status, method }: Pick<Payout, 'status' | 'method'>): Act[] {
  const byHand = status === 'approved' && method !== 'wise'
  return [
    ...(status === 'due' ? (['approve'] as const) : []),
    ...(['failed', 'awaiting-funding'].includes(status) ? (['retry'] as const) : []),
    ...(['open', 'due', 'failed'].includes(status) || byHand ? (['markPaid'] as const) : []),
    ...(['open', 'due', 'approved', 'awaiting-funding', 'failed'].includes(status) ? (['cancel'] as const) : []),
  ]
}

export const actLabel = (act: Act) => t(`payouts.actions.${act}`)

/** Opens the dialog of what is to be done; `dialog` stands in the screen. */
export function useActs({ accountId, timeZone }: { accountId: string; timeZone: string }) {
  const [open, setOpen] = useState<{ act: Act; payout: Payout } | null>(null)
  const close = () => setOpen(null)
  return {
    start: (act: Act, payout: Payout) => setOpen({ act, payout }),
    dialog: open && dialogOf(open.act, { payout: open.payout, accountId, timeZone, onClose: close }),
  }
}

type Props = { payout: Payout; accountId: string; timeZone: string; onClose: () => void }

function dialogOf(act: Act, props: Props): ReactNode {
  switch (act) {
    case 'approve':
      return <ReviewApproval accountId={props.accountId} payouts={[props.payout]} onClose={props.onClose} />
    case 'retry':
      return <Retry {...props} />
    case 'cancel':
      return <Cancel {...props} />
    case 'markPaid':
      return <MarkPaid {...props} />
  }
}

const wordsOf = (payout: Payout) => ({
  number: numberOf(payout),
  name: payout.partnerName,
  amount: formatMoney(payout.amount, payout.currency),
})

function Retry({ payout, onClose }: Props) {
  const words = wordsOf(payout)
  const call = useDialogCall(retryPayout, { done: t('payouts.retry.done', words), onClose })
  return (
    <Confirm
      heading={actLabel('retry')}
      confirm={actLabel('retry')}
      call={call}
      onConfirm={() => call.mutate({ params: { id: payout.id } })}
      onClose={onClose}
    >
      {t(payout.status === 'failed' ? 'payouts.retry.text' : 'payouts.retry.funding', words)}
    </Confirm>
  )
}

function Cancel({ payout, onClose }: Props) {
  const words = wordsOf(payout)
  const call = useDialogCall(cancelPayout, { done: t('payouts.cancel.done', words), onClose })
  return (
    <Confirm
      heading={actLabel('cancel')}
      confirm={actLabel('cancel')}
      keep={t('payouts.cancel.keep')}
      danger
      call={call}
      onConfirm={() => call.mutate({ params: { id: payout.id } })}
      onClose={onClose}
    >
      {t('payouts.cancel.text', words)} {payout.status === 'awaiting-funding' && t('payouts.cancel.atWise')}
      {payout.method === 'csv' && payout.status === 'approved' && t('payouts.cancel.inBatch')}
    </Confirm>
  )
}

function MarkPaid({ payout, timeZone, onClose }: Props) {
  const today = todayIn(timeZone)
  const form = useContractForm(PaidPayout, {
    initial: { reference: '', paidAt: today },
    check: ({ paidAt }) => ({
      paidAt: paidAt ? (paidAt > today ? t('rules.notFuture') : undefined) : t('rules.date'),
    }),
  })
  const words = wordsOf(payout)
  const call = useDialogCall(markPayoutPaid, { done: t('payouts.markPaid.done', words), onClose })
  return (
    <FormDialog
      heading={actLabel('markPaid')}
      why={t('payouts.markPaid.text', words)}
      form={form}
      save={call}
      onSubmit={({ reference, paidAt }) =>
        // Today means this very moment: the first one of the day may lie before the payout was approved.
        call.mutate({ params: { id: payout.id }, body: paidAt === today ? { reference } : { reference, paidAt } })
      }
      onClose={onClose}
    >
      <TextField
        {...form.field('reference', t('payouts.markPaid.reference'))}
        help={t('payouts.markPaid.referenceHelp')}
        data-first-focus
      />
      <DateField {...form.field('paidAt', t('payouts.markPaid.paidOn'))} max={today} />
    </FormDialog>
  )
}
