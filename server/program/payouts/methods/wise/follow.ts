import type { Transaction } from '../../../../platform/database/pool.ts'
import { businessDaysAfter } from '../../business-days.ts'
import type { Carried, UnderWay } from '../method.ts'
import { type Attempt, saveAttempt } from './attempts.ts'
import type { Transfer } from './client.ts'
import { applyVerdict, judge } from './intent.ts'

/** Business days without a bounce after which a transfer counts as having arrived. */
const PAID_AFTER = 5

/** Wise's state of an existing transfer that waits for money. */
export const UNFUNDED = 'incoming_payment_waiting'

/** The meaning of Wise's states of a transfer; others are ignored. */
export const meanings = new Map<string, 'unfunded' | 'moving' | 'sent' | 'bounced' | 'over'>([
  [UNFUNDED, 'unfunded'],
  ['incoming_payment_initiated', 'moving'],
  ['processing', 'moving'],
  ['funds_converted', 'moving'],
  ['outgoing_payment_sent', 'sent'],
  ['bounced_back', 'bounced'],
  ['cancelled', 'over'],
  ['funds_refunded', 'over'],
  ['charged_back', 'over'],
])

type Carrying = Omit<Carried, 'onStep'>

/**
 * Updates a payout from its transfer, however it was read: by the pay-out job, the poll, a signed event, a person.
 * Wise's states can go back, so each is taken as the current one; repeated or late readings change nothing. The caller
 * has the payout's lease, so that two readings never overtake each other. `wrong` describes how the transfer differs
 * from the request. Returns whether the payout is still approved and waits for another attempt.
 */
export async function follow(
  tx: Transaction,
  carried: Carrying,
  payout: UnderWay,
  { attempt, transfer, wrong = null }: { attempt: Attempt; transfer: Followed; wrong?: string | null },
): Promise<boolean> {
  const { status: state, hasIssues } = transfer
  await carried.shown(tx)
  const meaning = meanings.get(state)
  const funded = meaning !== undefined && meaning !== 'unfunded' && meaning !== 'over' && !attempt.fundedAt
  const said = wrong ?? (hasIssues ? ISSUES : null)
  if (state !== attempt.state || funded || payout.looksRefused > 0 || (attempt.error === ISSUES) !== (said === ISSUES))
    await saveAttempt(tx, attempt.id, {
      state,
      error: said,
      ...(funded && { fundedAt: tx.now, fundingProblem: null }),
    })
  if (!hasIssues && attempt.error === ISSUES) await carried.unsay(tx, ISSUES)
  if (await carried.isFreed(tx, payout)) {
    if (meaning !== undefined && meaning !== 'over') await carried.say(tx, MOVES_AGAIN)
    return false
  }
  const { status } = payout
  if (meaning === 'moving' && status !== 'processing') await carried.move(tx, 'go-on')
  if (meaning === 'sent') await followSent(tx, carried, payout)
  if (meaning === 'bounced' && status !== 'returned')
    await carried.move(tx, 'bounce', {
      reason: 'The bank returned the money. Wise is looking into it.',
    })
  if (hasIssues && meaning !== 'over' && payout.status !== 'paid') await carried.say(tx, ISSUES)
  return meaning === 'over' && followEnd(tx, carried, payout, { attempt, state, wrong })
}

type Followed = Pick<Transfer, 'status' | 'hasIssues'>

const ISSUES = 'Wise has an open question about this transfer. Answer it on wise.com.'
const MOVES_AGAIN = 'Wise refunded the money but is moving the transfer again. Check it on wise.com.'

async function followSent(tx: Transaction, carried: Carrying, payout: UnderWay) {
  if (payout.status === 'paid') return
  if (payout.status !== 'sent') await carried.move(tx, 'send')
  const { sentAt } = (await carried.read(tx))!
  if (businessDaysAfter(new Date(sentAt!), PAID_AFTER) <= tx.now) await carried.move(tx, 'arrive')
}

/** Handles the end of a transfer: money that had left is due again; otherwise the current approval decides. */
async function followEnd(
  tx: Transaction,
  carried: Carrying,
  payout: UnderWay,
  { attempt, state, wrong }: { attempt: Attempt; state: string; wrong: string | null },
): Promise<boolean> {
  if (payout.status === 'failed') return false
  const left = Boolean(attempt.fundedAt) || ['sent', 'paid', 'returned'].includes(payout.status)
  if (!left) {
    const verdict = await judge(tx, carried, payout, attempt)
    if (!wrong && !verdict.holds) return applyVerdict(tx, carried, payout, verdict)
    await carried.move(tx, 'fail', {
      reason: wrong ?? 'The transfer was canceled in Wise before it was paid.',
    })
    return false
  }
  const reason = state === 'charged_back' ? 'Wise charged back the payment.' : 'Wise refunded the money.'
  await carried.giveBack(tx, reason, { old: attempt.state, new: state })
  return false
}
