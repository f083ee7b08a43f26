import type { PaidPayout, Payout } from '#contract/payouts.ts'
import { byUser } from '../../platform/by.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound, wrongField } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import type { Actor } from '../access/actor.ts'
import { blocked, blockersByHand } from './approve.ts'
import { type LockedPayout, lockDue, lockForJudgement, wrongState } from './binding.ts'
import { givenOf, methodOf } from './methods/registry.ts'
import { move } from './move.ts'
import { lockPartnersAlone, payAfterAll } from './pay-after-all.ts'
import { presentPayout, readPayout } from './payouts.ts'
import { standingsOf } from './standing.ts'
import { type Terms, termsOf } from './terms.ts'

/**
 * Records that a payout was paid by other means: one that is due or open takes what has fallen due by now, one that was
 * canceled out of a batch file what the file had.
 * Refuses: `invalid_state` once its method may pay it; `payout_blocked` where something stands against the partner themselves
 * (details, minimum, currency and recipient do not count); `validation_failed` for a date in the future.
 */
export async function markPayoutPaid(
  tx: Transaction,
  actor: Actor,
  account: AccountFacts,
  id: string,
  body: PaidPayout,
): Promise<Payout> {
  await lockCanceled(tx, account.id, id)
  const { payout } = await lockForJudgement(tx, account.id, id)
  const terms = await termsOf(tx, account)
  const paidAt = await instantOf(tx, account, body.paidAt)
  if (paidAt < EARLIEST) throw wrongField('paidAt', 'paid_day_wrong')
  if (Date.parse(paidAt) > tx.now.getTime()) throw wrongField('paidAt', 'day_in_future')
  const carried = payout.method !== null && methodOf(payout.method).carrier !== undefined
  const byHand = payout.status === 'approved' && !carried
  const changes = { externalReference: { old: null, new: body.reference } }
  if (payout.status === 'canceled' && (await isOfFile(tx, payout))) {
    // whatever stands against the partner by now: the money has left
    const paid = sql`external_reference = ${body.reference}, method = 'manual'`
    await payAfterAll(tx, account, { ...payout, amount: payout.amount! }, { by: byUser(actor), paidAt, paid, changes })
    return presentPayout(tx, account, payout.id)
  }
  if (payout.status !== 'gathering' && payout.status !== 'failed' && !byHand)
    throw wrongState(payout.status, 'payout_not_markable')
  const due = payout.status === 'gathering' ? await dueNow(tx, terms, payout) : null
  await refuseByHand(tx, terms, payout.partnerId, paidAt)
  const paidOn = dayIn(account.timeZone, new Date(paidAt))
  const paid = sql`external_reference = ${body.reference}, paid_at = ${paidAt}, paid_on = ${paidOn}`
  await move(tx, account, payout.id, 'mark-paid', {
    by: byUser(actor),
    set: due
      ? sql`${paid}, method = 'manual', amount = ${due.amount}, period_start = ${due.periodStart},
          period_end = ${due.periodEnd}, approved_by = ${actor.userId}, approved_at = ${tx.now}`
      : // also out of a batch file: its results no longer concern a payout that a person paid
        sql`${paid}, method = 'manual'`,
    ...(due && { entries: due.ids }),
    changes,
  })
  return presentPayout(tx, account, payout.id)
}

/** A canceled payout shares nothing with approvals: it binds what another may be about to. */
async function lockCanceled(tx: Transaction, accountId: string, id: string) {
  const canceled = await tx.maybe<{ partnerId: string }>`
    select partner_id from payouts where id = ${asUuid(id)} and account_id = ${accountId} and status = 'canceled'`
  if (canceled) await lockPartnersAlone(tx, [canceled.partnerId])
}

/** It was in a batch file, which may be paid by whoever has it. */
async function isOfFile(tx: Transaction, { id, amount }: LockedPayout): Promise<boolean> {
  return amount !== null && (await givenOf(tx, [id])).length > 0
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

async function dueNow(tx: Transaction, terms: Terms, payout: LockedPayout) {
  const due = await lockDue(tx, terms.account.id, payout.partnerId)
  if (due.amount <= 0 || !(await readPayout(tx, terms, payout.id))) throw notFound()
  return due
}

/** Whatever state it is marked from, the partner must be one who may be paid: in the year of `paidAt`, and now. */
async function refuseByHand(tx: Transaction, terms: Terms, partnerId: string, paidAt: string) {
  const year = Number(dayIn(terms.account.timeZone, new Date(paidAt)).slice(0, 4))
  const { approved } = await tx.one<{ approved: boolean }>`
    select ${year}::integer = any(approved_payout_years) as approved from partners where id = ${partnerId}`
  const [standing] = await standingsOf(tx, terms, [partnerId])
  const stopping = blockersByHand(standing!.blockers, approved)
  if (stopping.length > 0) throw blocked({ ...terms, year }, standing!, stopping)
}
