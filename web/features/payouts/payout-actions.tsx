import { type ReactNode, useState } from 'react'
import { cancelPayout, type Payout, retryPayout } from '#contract/payouts.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { t } from '../../words.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { type PayoutAction, payoutActionLabel, wordsOf } from './words.ts'

const MarkPaid = lazyPart(async () => (await import('./MarkPaid.tsx')).MarkPaid)

/** Returns the actions that the payout's status allows; a blocked one can be approved once its blockers are gone. */
export function payoutActions({ status, method }: Pick<Payout, 'status' | 'method'>): PayoutAction[] {
  const byHand = status === 'approved' && method !== 'wise'
  // a person with the file may have paid it anyway
  const leftInFile = status === 'canceled' && method === 'csv'
  return [
    ...(status === 'due' ? (['approve'] as const) : []),
    ...(['failed', 'awaiting-funding'].includes(status) ? (['retry'] as const) : []),
    ...(['open', 'due', 'failed'].includes(status) || byHand || leftInFile ? (['markPaid'] as const) : []),
    ...(['approved', 'awaiting-funding', 'failed'].includes(status) ? (['cancel'] as const) : []),
  ]
}

/** Returns why an action that the status allows is refused: a suspended partner is paid by no method. */
export const whyNot = (action: PayoutAction, { blockers }: Pick<Payout, 'blockers'>) =>
  action === 'markPaid' && blockers.find(({ code }) => code === 'partner-disabled')?.message

/** Opens an action's dialog; the screen must render `dialog`. */
export function usePayoutActions({ accountId, timeZone }: { accountId: string; timeZone: string }) {
  const [open, setOpen] = useState<{ action: PayoutAction; payout: Payout } | null>(null)
  const close = () => setOpen(null)
  return {
    start: (action: PayoutAction, payout: Payout) => setOpen({ action, payout }),
    dialog: (
      <>
        <MarkPaid.OnUse />
        {open && dialogOf(open.action, { payout: open.payout, accountId, timeZone, onClose: close })}
      </>
    ),
  }
}

type PayoutActionProps = { payout: Payout; accountId: string; timeZone: string; onClose: () => void }

function dialogOf(action: PayoutAction, props: PayoutActionProps): ReactNode {
  switch (action) {
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

function Retry({ payout, onClose }: PayoutActionProps) {
  const words = wordsOf(payout)
  const call = useDialogCall(retryPayout, { done: t('payouts.retry.done', words), onClose })
  return (
    <Confirm
      heading={payoutActionLabel('retry')}
      confirm={payoutActionLabel('retry')}
      call={call}
      onConfirm={() => call.mutate({ params: { id: payout.id } })}
      onClose={onClose}
    >
      {t(payout.status === 'failed' ? 'payouts.retry.text' : 'payouts.retry.funding', words)}
    </Confirm>
  )
}

function Cancel({ payout, onClose }: PayoutActionProps) {
  const words = wordsOf(payout)
  const call = useDialogCall(cancelPayout, { done: t('payouts.cancel.done', words), onClose })
  return (
    <Confirm
      heading={payoutActionLabel('cancel')}
      confirm={payoutActionLabel('cancel')}
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
