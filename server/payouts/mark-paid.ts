import type { PaidPayout, Payout } from '#contract/payouts.ts'
import { audit, byUser } from '../audit.ts'
import type { Actor } from '../auth/actor.ts'
import type { Transaction } from '../database/pool.ts'
import type { AccountFacts } from '../http/access.ts'
import { announce } from '../jobs/outbox.ts'
import { notFound, wrongField } from '../refusal.ts'
import { dayIn } from '../time/days.ts'
import { blocked, blockersByHand } from './approve.ts'
import { bind, type LockedPayout, lockDue, lockPayout, wrongState } from './binding.ts'
import { announcePaidEntries } from './methods/wise/follow.ts'
import { presentPayout, readPayout } from './payouts.ts'
import { type Terms, termsOf } from './terms.ts'

/**
 * Records that a payout was paid by other means: one that is due or open takes what has fallen due by now.
 * Refuses: `invalid_state` once Wise may pay it; `payout_blocked` where something stands against the partner himself
 * (details, minimum, currency and recipient do not count); `validation_failed` for a date in the future.
 */
export async function markPayoutPaid(
  tx: Transaction,
  actor: Actor,
  account: AccountFacts,
  id: string,
  body: PaidPayout,
): Promise<Payout> {
  const payout = await lockPayout(tx, account.id, id)
  const terms = await termsOf(tx, account)
  const paidAt = await instantOf(tx, account, body.paidAt)
  if (paidAt < EARLIEST) throw wrongField('paidAt', 'Enter the day on which it was paid')
  if (Date.parse(paidAt) > tx.now.getTime()) throw wrongField('paidAt', 'The date cannot be in the future')
  if (payout.status === 'gathering') await takeDue(tx, actor, terms, payout, paidAt)
  else if (payout.status !== 'failed' && !(payout.status === 'approved' && payout.method !== 'wise'))
    throw wrongState(payout.status, 'marked as paid')
  await tx.run`
    update payouts set status = 'paid', method = case when method = 'csv' then 'csv' else 'manual' end,
      external_reference = ${body.reference}, paid_at = ${paidAt}, failure_reason = null, updated_at = ${tx.now}
    where id = ${payout.id} and status in ('approved', 'failed')`
  await audit(
    tx,
    byUser(actor),
    account.id,
    'payout.marked-paid',
    { type: 'payout', id: payout.id },
    {
      status: { old: payout.status === 'gathering' ? 'due' : payout.status, new: 'paid' },
      externalReference: { old: null, new: body.reference },
    },
  )
  await announce(tx, account.id, 'payout.paid', { object: await presentPayout(tx, account, payout.id) })
  await announcePaidEntries(tx, account, payout.id)
  return presentPayout(tx, account, payout.id)
}

/** No payout is older than this product's customers' books. */
const EARLIEST = '2000-01-01'

/** A date means its first moment in the account's time zone; nothing means now. */
async function instantOf(tx: Transaction, { timeZone }: AccountFacts, given: string | undefined): Promise<string> {
  if (given === undefined) return tx.now.toISOString()
  if (given.length > 10) return new Date(given).toISOString()
  const { at } = await tx.one<{ at: string }>`select ${given}::date::timestamp at time zone ${timeZone} as at`
  return at
}

async function takeDue(tx: Transaction, actor: Actor, terms: Terms, payout: LockedPayout, paidAt: string) {
  const { account } = terms
  const shown = await readPayout(tx, terms, payout.id)
  const due = await lockDue(tx, account.id, payout.partnerId)
  if (!shown || due.amount <= 0) throw notFound()
  const year = Number(dayIn(account.timeZone, new Date(paidAt)).slice(0, 4))
  const { approved } = await tx.one<{ approved: boolean }>`
    select ${year}::integer = any(approved_payout_years) as approved from partners where id = ${payout.partnerId}`
  const stopping = blockersByHand(shown.blockers, approved)
  if (stopping.length > 0) throw blocked({ ...terms, year }, shown, stopping)
  await tx.run`
    update payouts set status = 'approved', amount = ${due.amount}, method = 'manual', period_start = ${due.periodStart},
      period_end = ${due.periodEnd}, approved_by = ${actor.userId}, approved_at = ${tx.now}
    where id = ${payout.id} and status = 'gathering'`
  await bind(tx, account.id, payout.id, due.ids)
}
