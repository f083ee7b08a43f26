import { audit, system } from '../../../../platform/audit.ts'
import type { Transaction } from '../../../../platform/database/pool.ts'
import type { AccountFacts } from '../../../access/access.ts'
import { businessDaysAfter } from '../../business-days.ts'
import { gather } from '../../gather.ts'
import { free, move } from '../../move.ts'
import { applyVerdict, judge } from './intent.ts'
import { type Attempt, saveAttempt, sayWhy, type UnderWay } from './attempts.ts'

/** A transfer that arrives is proven by so many business days without a bounce. */
const PAID_AFTER = 5

/** What Wise's state of a transfer means for us; others say nothing. */
const meanings: Record<string, 'unfunded' | 'moving' | 'sent' | 'bounced' | 'over'> = {
  incoming_payment_waiting: 'unfunded',
  incoming_payment_initiated: 'moving',
  processing: 'moving',
  funds_converted: 'moving',
  outgoing_payment_sent: 'sent',
  bounced_back: 'bounced',
  cancelled: 'over',
  funds_refunded: 'over',
  charged_back: 'over',
}

/**
 * The one way a payout follows its transfer, whoever read it: the pay-out job, the poll, a signed event, a person.
 * States of Wise can go back, so each is taken as it stands now; doubled or late readings change nothing. The caller
 * holds the payout's lease, so that two readings never overtake each other. `wrong` says in words what of the transfer is
 * not what was asked for. Answers whether the payout is approved still and waits for another attempt.
 */
export async function follow(
  tx: Transaction,
  account: AccountFacts,
  payout: UnderWay,
  attempt: Attempt,
  state: string,
  wrong: string | null = null,
): Promise<boolean> {
  await tx.run`
    update payouts set checked_at = ${tx.now}, looks_refused = 0, look_after = null,
      failure_reason = case when looks_refused = 0 then failure_reason end
    where id = ${payout.id}`
  const meaning = meanings[state]
  const funded = meaning !== undefined && meaning !== 'unfunded' && meaning !== 'over' && !attempt.fundedAt
  if (state !== attempt.state || funded || payout.looksRefused > 0)
    await saveAttempt(tx, attempt.id, {
      state,
      error: wrong,
      ...(funded && { fundedAt: tx.now, fundingProblem: null }),
    })
  if (await isFreed(tx, payout)) {
    if (meaning !== undefined && meaning !== 'over') await sayWhy(tx, payout.id, MOVES_AGAIN)
    return false
  }
  const { status } = payout
  if (meaning === 'moving' && status !== 'processing') await move(tx, account, payout.id, 'go-on')
  if (meaning === 'sent') await followSent(tx, account, payout)
  if (meaning === 'bounced' && status !== 'returned')
    await move(tx, account, payout.id, 'bounce', {
      reason: 'The bank sent the money back; Wise is looking into it.',
    })
  return meaning === 'over' && followEnd(tx, account, payout, attempt, state, wrong)
}

/** The money came back and its entries are free, maybe paid by another payout: this one moves no more. */
async function isFreed(tx: Transaction, { id, status }: UnderWay): Promise<boolean> {
  if (status !== 'returned') return false
  const { bound } = await tx.one<{ bound: boolean }>`
    select exists (select from payout_entries where payout_id = ${id} and live) as bound`
  return !bound
}

const MOVES_AGAIN = 'Wise gave the money back and moves the transfer again all the same. Look at it on wise.com.'

async function followSent(tx: Transaction, account: AccountFacts, payout: UnderWay) {
  if (payout.status === 'paid') return
  if (payout.status !== 'sent') await move(tx, account, payout.id, 'send')
  const { sentAt } = await tx.one<{ sentAt: string }>`select sent_at from payouts where id = ${payout.id}`
  if (businessDaysAfter(new Date(sentAt), PAID_AFTER) <= tx.now) await move(tx, account, payout.id, 'arrive')
}

/** The transfer is over. What had left comes back: due again. What never had: as the approval now stands. */
async function followEnd(
  tx: Transaction,
  account: AccountFacts,
  payout: UnderWay,
  attempt: Attempt,
  state: string,
  wrong: string | null,
): Promise<boolean> {
  if (payout.status === 'failed') return false
  const left = Boolean(attempt.fundedAt) || ['sent', 'paid', 'returned'].includes(payout.status)
  if (!left) {
    const verdict = await judge(tx, account, payout, attempt)
    if (!wrong && !verdict.holds) return applyVerdict(tx, account, payout, verdict)
    await move(tx, account, payout.id, 'fail', {
      reason: wrong ?? 'The transfer was canceled in Wise before it was paid.',
    })
    return false
  }
  const reason = state === 'charged_back' ? 'Wise charged the payment back.' : 'Wise gave the money back.'
  if (payout.status === 'returned') await sayWhy(tx, payout.id, reason)
  else await move(tx, account, payout.id, 'bounce', { reason })
  await free(tx, account, payout.id, payout.partnerId)
  await gather(tx, account, [payout.partnerId])
  await audit(
    tx,
    system,
    account.id,
    'payout.entries-released',
    { type: 'payout', id: payout.id },
    {
      transfer: { old: attempt.state, new: state },
    },
  )
  return false
}
