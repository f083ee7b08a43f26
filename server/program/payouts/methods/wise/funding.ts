import type { Transaction } from '../../../../platform/database/pool.ts'
import type { UnderWay } from '../method.ts'
import { type Attempt, readAt, saveAttempt } from './attempts.ts'
import type { Work } from './work.ts'

/** At first, when the owner asks, and for want of balance with every look; where only the owner can pay, never again. */
export const isToBeFunded = ({ status, fundAgain }: UnderWay, { fundedAt, fundingProblem }: Attempt) =>
  !fundedAt &&
  (status === 'processing' || (status === 'awaiting-funding' && (fundAgain || fundingProblem === 'balance')))

export const FORBIDDEN = "Wise doesn't allow this account to pay by API. Pay the transfer on wise.com."

export const refusedFunding = (code: string | null, currency: string) => {
  if (code === 'transfer.insufficient_funds') return `The ${currency.toUpperCase()} balance in Wise is too low.`
  if (code === 'balance.payment-option-unavailable') return `There is no ${currency.toUpperCase()} balance in Wise.`
  return `Wise refused the payment${code ? ` (${code})` : ''}.`
}

/** The transfer stands at Wise and waits for money, or for the owner. */
export async function awaitFunding(tx: Transaction, work: Work, problem: 'balance' | 'forbidden', words: string) {
  const at = await readAt(tx, work)
  if (!at) return
  await saveAttempt(tx, at.attempt.id, { fundingProblem: problem, error: words })
  if (at.payout.status === 'processing') await work.move(tx, 'wait', { reason: words })
  else await work.say(tx, words)
}
