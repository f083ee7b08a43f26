import { approvePayouts, cancelPayout, markPayoutPaid, type Payout, retryPayout } from '#contract/payouts.ts'
import { act } from '../../ui/act.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { Needed } from '../../ui/may.ts'
import { type Act, type ActProps, useActs } from '../../ui/useActs.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { type PayoutAction, payoutActionLabel, wordsOf } from './words.ts'

const MarkPaid = lazyPart(async () => (await import('./MarkPaid.tsx')).MarkPaid)

const Approve = ({ of, onClose }: ActProps<Payout>) => <ReviewApproval payouts={[of]} onClose={onClose} />

const Retry = act(retryPayout, (payout: Payout) => ({
  heading: payoutActionLabel('retry'),
  done: payoutWords.retry.done(wordsOf(payout)),
  why: (payout.status === 'failed' ? payoutWords.retry.text : payoutWords.retry.funding)(wordsOf(payout)),
}))

const Cancel = act(cancelPayout, (payout: Payout) => ({
  heading: payoutActionLabel('cancel'),
  keep: payoutWords.cancel.keep,
  danger: true,
  done: payoutWords.cancel.done(wordsOf(payout)),
  why: (
    <>
      {payoutWords.cancel.text(wordsOf(payout))}{' '}
      {payout.status === 'awaiting-funding' && payout.method === 'wise' && payoutWords.cancel.atWise}
      {payout.method === 'csv' && payout.status === 'approved' && payoutWords.cancel.inBatch}
      {payout.method === 'sepa' && payout.status === 'approved' && payoutWords.cancel.inFile}
    </>
  ),
}))

/** The calls they make. */
export const payoutCalls: Record<PayoutAction, Needed> = {
  approve: approvePayouts,
  retry: retryPayout,
  cancel: cancelPayout,
  markPaid: markPayoutPaid,
}

const acts: Record<PayoutAction, Act<Payout>> = { approve: Approve, retry: Retry, cancel: Cancel, markPaid: MarkPaid }

/** Opens an action's dialog; the screen must render `dialog`. */
export function usePayoutActions() {
  const { start, dialog } = useActs()
  return {
    start: (action: PayoutAction, of: Payout) => start(acts[action], of),
    dialog: (
      <>
        <MarkPaid.OnUse />
        {dialog}
      </>
    ),
  }
}
