import { audit, system } from '../../../audit.ts'
import type { Transaction } from '../../../database/pool.ts'
import type { AccountFacts } from '../../../http/access.ts'
import { announce, announceAll } from '../../../jobs/outbox.ts'
import { release } from '../../binding.ts'
import { businessDaysAfter } from '../../business-days.ts'
import { gather } from '../../gather.ts'
import { presentPayout } from '../../payouts.ts'
import { endAsCanceled, setBack } from '../../set-back.ts'
import { type Attempt, saveAttempt, type UnderWay } from './situation.ts'

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
 * holds the payout's lease, so that two readings never overtake each other.
 */
export async function follow(
  tx: Transaction,
  account: AccountFacts,
  payout: UnderWay,
  attempt: Attempt,
  state: string,
): Promise<void> {
  await tx.run`update payouts set checked_at = ${tx.now} where id = ${payout.id}`
  const meaning = meanings[state]
  const funded = meaning !== undefined && meaning !== 'unfunded' && meaning !== 'over' && !attempt.fundedAt
  if (state !== attempt.state || funded)
    await saveAttempt(tx, attempt.id, {
      state,
      error: null,
      ...(funded && { fundedAt: tx.now, fundingProblem: null }),
    })
  const { status } = payout
  if (meaning === 'moving' && status !== 'processing') return change(tx, account, payout, 'processing')
  if (meaning === 'sent') return followSent(tx, account, payout)
  if (meaning === 'bounced' && status !== 'returned')
    return change(tx, account, payout, 'returned', 'The bank sent the money back; Wise is looking into it.')
  if (meaning === 'over') return followEnd(tx, account, payout, attempt, state)
  return undefined
}

async function followSent(tx: Transaction, account: AccountFacts, payout: UnderWay) {
  if (payout.status === 'paid') return
  if (payout.status !== 'sent') await change(tx, account, payout, 'sent')
  const { sentAt } = await tx.one<{ sentAt: string }>`select sent_at from payouts where id = ${payout.id}`
  if (businessDaysAfter(new Date(sentAt), PAID_AFTER) <= tx.now)
    await change(tx, account, { ...payout, status: 'sent' }, 'paid')
}

/** The transfer is over. What had left comes back: due again. What never had: failed, for a person to decide. */
async function followEnd(tx: Transaction, account: AccountFacts, payout: UnderWay, attempt: Attempt, state: string) {
  const left = Boolean(attempt.fundedAt) || ['sent', 'paid', 'returned'].includes(payout.status)
  if (payout.stopReason && !left) return applyStop(tx, account, payout)
  if (!left) {
    if (payout.status === 'failed') return
    await change(tx, account, payout, 'failed', 'The transfer was canceled in Wise before it was paid.')
    return
  }
  const { bound } = await tx.one<{ bound: boolean }>`
    select exists (select from payout_entries where payout_id = ${payout.id} and live) as bound`
  if (payout.status === 'returned' && !bound) return
  const words = state === 'charged_back' ? 'Wise charged the payment back.' : 'Wise gave the money back.'
  if (payout.status === 'returned')
    await tx.run`update payouts set failure_reason = ${words}, updated_at = ${tx.now} where id = ${payout.id}`
  else await change(tx, account, payout, 'returned', words)
  await release(tx, payout.id)
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
}

/** Nothing stands at Wise any more: what the stop was for happens now. */
export async function applyStop(tx: Transaction, account: AccountFacts, payout: UnderWay) {
  if (payout.stopReason === 'details-changed') return setBack(tx, account, payout.id)
  return endAsCanceled(tx, account, system, payout.id, payout.amount)
}

/** Moves a payout whose transfer tells so, and says it to whoever listens. */
export async function change(
  tx: Transaction,
  account: AccountFacts,
  payout: Pick<UnderWay, 'id' | 'status'>,
  to: 'processing' | 'awaiting-funding' | 'sent' | 'paid' | 'failed' | 'returned',
  reason: string | null = null,
) {
  const changed = await tx.run`
    update payouts set status = ${to}, failure_reason = ${reason}, updated_at = ${tx.now},
      sent_at = case when ${to} = 'sent' then ${tx.now}::timestamptz else sent_at end,
      paid_at = case when ${to} = 'paid' then ${tx.now}::timestamptz end,
      stop_reason = case when ${to} = 'awaiting-funding' then stop_reason end
    where id = ${payout.id} and status = ${payout.status}`
  if (changed === 0) return
  await audit(
    tx,
    system,
    account.id,
    `payout.${to}`,
    { type: 'payout', id: payout.id },
    {
      status: { old: payout.status, new: to },
      ...(reason && { reason: { old: null, new: reason } }),
    },
  )
  if (to === 'processing') return
  await announce(tx, account.id, `payout.${to}`, { object: await presentPayout(tx, account, payout.id) })
  if (to === 'paid') await announcePaidEntries(tx, account, payout.id)
}

/** Tells of every entry that a payout has paid. */
export async function announcePaidEntries(tx: Transaction, account: AccountFacts, payoutId: string) {
  const entries = await tx.many`
    select e.id, e.partner_id, e.sale_id, e.kind, e.amount, e.currency, b.payout_id
    from payout_entries b join commission_entries e on e.id = b.entry_id
    where b.payout_id = ${payoutId} and b.live order by e.id`
  await announceAll(
    tx,
    entries.map((object) => ({ accountId: account.id, type: 'commission.paid', data: { object } })),
  )
}
