import { approvePayouts, cancelPayout, markPayoutPaid, type Payout, retryPayout } from '#contract/payouts.ts'
import { defineAction } from '../../ui/act.tsx'
import { type ActProps, exposeAction, type Offer, type Offered } from '../../ui/actions.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { findMainAction, type PayoutAction, payoutActions, whyNot } from './allowed-actions.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { toPayoutValues } from './words.ts'

const offer = (action: PayoutAction): Offer<Payout> => ({
  label: payoutWords.actions[action],
  when: (payout) => payoutActions(payout).includes(action),
  cannot: (payout) => whyNot(action, payout),
})

/** The actions on a payout, in the order of its menu. */
const acts: Record<PayoutAction, Offered<Payout>> = {
  approve: exposeAction(({ of, onClose }: ActProps<Payout>) => <ReviewApproval payouts={[of]} onClose={onClose} />, {
    ...offer('approve'),
    needs: approvePayouts,
  }),
  retry: exposeAction(
    defineAction(retryPayout, (payout: Payout) => ({
      heading: payoutWords.actions.retry,
      done: payoutWords.retry.done(toPayoutValues(payout)),
      why: (payout.status === 'failed' ? payoutWords.retry.text : payoutWords.retry.funding)(toPayoutValues(payout)),
    })),
    offer('retry'),
  ),
  markPaid: lateAct(async () => (await import('./MarkPaid.tsx')).MarkPaid, {
    ...offer('markPaid'),
    needs: markPayoutPaid,
  }),
  cancel: exposeAction(
    defineAction(cancelPayout, (payout: Payout) => ({
      heading: payoutWords.actions.cancel,
      keep: payoutWords.cancel.keep,
      danger: true,
      done: payoutWords.cancel.done(toPayoutValues(payout)),
      why: (
        <>
          {payoutWords.cancel.text(toPayoutValues(payout))}{' '}
          {payout.status === 'awaiting-funding' && payout.method === 'wise' && payoutWords.cancel.atWise}
          {payout.method === 'csv' && payout.status === 'approved' && payoutWords.cancel.inBatch}
          {payout.method === 'sepa' && payout.status === 'approved' && payoutWords.cancel.inFile}
        </>
      ),
    })),
    offer('cancel'),
  ),
}
export const payoutActs = Object.values(acts)

/** Returns the action that moves the payout on. */
export function findMainAct(payout: Payout): Offered<Payout> | undefined {
  const main = findMainAction(payout)
  return main && acts[main]
}
