import { type ReactNode, useState } from 'react'
import { cancelPayout, type Payout, retryPayout } from '#contract/payouts.ts'
import type { ActProps } from '../../ui/act.ts'
import { confirmedAct } from '../../ui/confirmed-act.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { payoutWords } from '../../words/payouts.ts'
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
  const [open, setOpen] = useState<{ action: PayoutAction; of: Payout } | null>(null)
  const close = () => setOpen(null)
  return {
    start: (action: PayoutAction, of: Payout) => setOpen({ action, of }),
    dialog: (
      <>
        <MarkPaid.OnUse />
        {open && dialogOf(open.action, { of: open.of, accountId, timeZone, onClose: close })}
      </>
    ),
  }
}

type PayoutActionProps = ActProps<Payout> & { accountId: string; timeZone: string }

function dialogOf(action: PayoutAction, { accountId, timeZone, ...props }: PayoutActionProps): ReactNode {
  switch (action) {
    case 'approve':
      return <ReviewApproval accountId={accountId} payouts={[props.of]} onClose={props.onClose} />
    case 'retry':
      return <Retry {...props} />
    case 'cancel':
      return <Cancel {...props} />
    case 'markPaid':
      return <MarkPaid {...props} timeZone={timeZone} />
  }
}

const Retry = confirmedAct(retryPayout, (payout: Payout) => ({
  heading: payoutActionLabel('retry'),
  done: payoutWords.retry.done(wordsOf(payout)),
  why: (payout.status === 'failed' ? payoutWords.retry.text : payoutWords.retry.funding)(wordsOf(payout)),
}))

const Cancel = confirmedAct(cancelPayout, (payout: Payout) => ({
  heading: payoutActionLabel('cancel'),
  keep: payoutWords.cancel.keep,
  danger: true,
  done: payoutWords.cancel.done(wordsOf(payout)),
  why: (
    <>
      {payoutWords.cancel.text(wordsOf(payout))} {payout.status === 'awaiting-funding' && payoutWords.cancel.atWise}
      {payout.method === 'csv' && payout.status === 'approved' && payoutWords.cancel.inBatch}
    </>
  ),
}))
