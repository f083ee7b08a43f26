import { approvePayouts, cancelPayout, markPayoutPaid, type Payout, retryPayout } from '#contract/payouts.ts'
import { act } from '../../ui/act.tsx'
import { type ActProps, offered } from '../../ui/acts.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { payoutWords } from '../../words/payouts.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { isByHand, isUnsure, wordsOf } from './words.ts'

/** The payout's partner is suspended, and so paid by no method. */
const suspended = ({ blockers }: Pick<Payout, 'blockers'>) =>
  blockers.find(({ code }) => code === 'partner-disabled')?.message

export const markPaid = lateAct(async () => (await import('./MarkPaid.tsx')).MarkPaid, {
  label: payoutWords.actions.markPaid,
  needs: markPayoutPaid,
  when({ status, method, attempts }) {
    if (isUnsure({ attempts })) return true
    const byHand = status === 'approved' && isByHand(method)
    // a person with the file may have paid it anyway
    const leftInFile = status === 'canceled' && (method === 'csv' || method === 'sepa')
    return ['open', 'due', 'failed'].includes(status) || byHand || leftInFile
  },
  cannot: suspended,
})

/** A blocked payout can be approved once its blockers are gone. */
const approve = offered(({ of, onClose }: ActProps<Payout>) => <ReviewApproval payouts={[of]} onClose={onClose} />, {
  label: payoutWords.actions.approve,
  needs: approvePayouts,
  when: (payout) => !isUnsure(payout) && payout.status === 'due',
})

const Retry = offered(
  act(retryPayout, (payout: Payout) => ({
    heading: payoutWords.actions.retry,
    done: payoutWords.retry.done(wordsOf(payout)),
    why: (payout.status === 'failed' ? payoutWords.retry.text : payoutWords.retry.funding)(wordsOf(payout)),
  })),
  {
    label: payoutWords.actions.retry,
    when: (payout) => !isUnsure(payout) && ['failed', 'awaiting-funding'].includes(payout.status),
  },
)

const Cancel = offered(
  act(cancelPayout, (payout: Payout) => ({
    heading: payoutWords.actions.cancel,
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
  })),
  {
    label: payoutWords.actions.cancel,
    when: (payout) => isUnsure(payout) || ['approved', 'awaiting-funding', 'failed'].includes(payout.status),
  },
)

/** The actions on a payout, in the order of its menu. */
export const payoutActs = [approve, Retry, markPaid, Cancel]

const approveEarly = offered(approve, { label: approve.label, when: ({ status }) => status === 'open' })

/** Returns the action that moves the payout on. */
export const mainActOf = (payout: Payout) => [approveEarly, approve, Retry, markPaid].find(({ when }) => when?.(payout))
