import type { Transaction } from '../../../../platform/database/pool.ts'
import type { UnderWay } from '../method.ts'
import { type Attempt, readAt, saveAttempt } from './attempts.ts'
import type { Work } from './work.ts'

/**
 * Whether to fund now: the first time, at the owner's request, and at every check after a lack of balance; never again
 * if only the owner can pay.
 */
export const isToBeFunded = ({ status, fundAgain }: UnderWay, { fundedAt, fundingProblem }: Attempt) =>
  !fundedAt &&
  (status === 'processing' || (status === 'awaiting-funding' && (fundAgain || fundingProblem === 'balance')))

export const FORBIDDEN = 'Wise doesn’t allow this account to pay by API. Pay the transfer on wise.com.'

export const refusedFunding = (code: string | null, currency: string) => {
  if (code === 'transfer.insufficient_funds') return `The ${currency.toUpperCase()} balance in Wise is too low.`
  if (code === 'balance.payment-option-unavailable') return `There is no ${currency.toUpperCase()} balance in Wise.`
  return `Wise refused the payment${code ? ` (${code})` : ''}.`
}

/** Records that the transfer at Wise waits for money, or for the owner. */
export async function awaitFunding(tx: Transaction, work: Work, problem: 'balance' | 'forbidden', words: string) {
  const at = await readAt(tx, work)
  if (!at) return
  await saveAttempt(tx, at.attempt.id, { fundingProblem: problem, error: words })
  if (at.payout.status === 'processing') await work.move(tx, 'wait', { reason: words })
  else await work.say(tx, words)
}
