import type { DetailKind } from '#contract/detail-kinds.ts'
import type { Payout, PayoutMethod } from '#contract/payouts.ts'
import type { RefusalReason } from '#contract/refusals.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { balancePartsSql, entriesWithPayout, holdingSale } from '../commissions/entry-status.ts'

/** A payout's state as stored; `gathering` is shown as open or due. */
export type StoredStatus = 'gathering' | Exclude<Payout['status'], 'open' | 'due'>

/** A stored payout, locked until the transaction ends. */
export type LockedPayout = {
  id: string
  partnerId: string
  status: StoredStatus
  amount: number | null
  /** With its tax. */
  payAmount: number | null
  method: PayoutMethod | null
  statementNumber: number
}

/** Locks the payout, and its partner first. Refuses: `not_found` for another account's. */
export async function lockPayout(tx: Transaction, accountId: string, id: string): Promise<LockedPayout> {
  await tx.run`
    select from partners
    where account_id = ${accountId} and id = (
      select partner_id from payouts where id = ${asUuid(id)} and account_id = ${accountId})
    for no key update`
  const payout = await tx.maybe<LockedPayout>`
    select id, partner_id, status, amount, pay_amount, method, statement_number from payouts
    where id = ${asUuid(id)} and account_id = ${accountId} for update`
  if (!payout) throw notFound()
  return payout
}

export type ForJudgement = {
  payout: LockedPayout
  details: { detailsSealed: Buffer | null; version: string; shown: ShownDetails } | undefined
}

/** The bank or service of payout details, in clear. */
export type ShownDetails = { kind: DetailKind; country: string | null; currency: string; hint: string | null }

/** Locks one payout like `lockAllForJudgement`. Refuses: `not_found` for another account's. */
export async function lockForJudgement(tx: Transaction, accountId: string, id: string): Promise<ForJudgement> {
  const locked = (await lockAllForJudgement(tx, accountId, [asUuid(id)])).get(asUuid(id))
  if (!locked) throw notFound()
  return locked
}

/**
 * Locks payouts with the facts that judge their approval, and returns them by id; none of these changes while this
 * transaction runs. All writers lock in this order: partners, then details, then payouts. Payouts of another account
 * are left out.
 */
export async function lockAllForJudgement(
  tx: Transaction,
  accountId: string,
  ids: string[],
): Promise<Map<string, ForJudgement>> {
  const partnerIds = sql`(
    select o.partner_id from payouts o where o.id = any(${ids}::uuid[]) and o.account_id = ${accountId})`
  await tx.run`
    select from partners where account_id = ${accountId} and id in ${partnerIds} order by id for share`
  const details = await tx.many<
    Omit<NonNullable<ForJudgement['details']>, 'shown'> & ShownDetails & { partnerId: string }
  >`
    select partner_id, details_sealed, version, kind, country, currency, coalesce(hint, account_last4) as hint
    from payout_settings
    where account_id = ${accountId} and partner_id in ${partnerIds} order by partner_id for share`
  const payouts = await tx.many<LockedPayout>`
    select id, partner_id, status, amount, pay_amount, method, statement_number from payouts
    where id = any(${ids}::uuid[]) and account_id = ${accountId} order by id for update`
  const detailsOf = new Map(
    details.map(({ partnerId, detailsSealed, version, ...shown }) => [partnerId, { detailsSealed, version, shown }]),
  )
  return new Map(payouts.map((payout) => [payout.id, { payout, details: detailsOf.get(payout.partnerId) }]))
}

/** 'A payout that is awaiting funding cannot be approved.' */
export const wrongState = (status: string, reason: Extract<RefusalReason, `payout_not_${string}able`>) =>
  refusal(reason, { status: status.replaceAll('-', ' ') }, { details: { status } })

export type Due = { ids: string[]; amount: number; periodStart: string | null; periodEnd: string | null }

const NOTHING: Due = { ids: [], amount: 0, periodStart: null, periodEnd: null }

/** Returns the amount due to one partner, like `lockAllDue`. */
export const lockDue = async (tx: Transaction, accountId: string, partnerId: string): Promise<Due> =>
  (await lockAllDue(tx, accountId, [partnerId]))(partnerId)

/**
 * Locks the entries due to each of these partners and returns them with their sums. Locks their leads and sales first: a
 * rejection, refund or dispute of one of them is either counted here or finds its entry bound. Uses the time after the caller's locks,
 * not the start of the transaction: reversals made while it waited are due by then.
 */
export async function lockAllDue(
  tx: Transaction,
  accountId: string,
  partnerIds: string[],
): Promise<(partnerId: string) => Due> {
  const due = () => sql`
    t.account_id = ${accountId} and t.partner_id = any(${partnerIds}::uuid[]) and ${balancePartsSql(tx.database.now, accountId).due}`
  await tx.run`
    select from leads where account_id = ${accountId} and id in (select t.lead_id from ${entriesWithPayout} where ${due()} and t.lead_id is not null)
    order by id for share`
  await tx.run`
    select from sales where account_id = ${accountId} and id in (select ${holdingSale} from ${entriesWithPayout} where ${due()} and ${holdingSale} is not null)
    order by id for share`
  return readDue(tx, accountId, partnerIds, tx.database.now)
}

/** Returns what is due to each of these partners, unlocked. */
export async function readDue(
  db: Queryable,
  accountId: string,
  partnerIds: string[],
  now: Date,
): Promise<(partnerId: string) => Due> {
  const found = await db.many<Due & { partnerId: string }>`
    select t.partner_id, array_agg(t.id::text order by t.id) as ids, sum(t.amount)::bigint as amount,
      min(t.day) as period_start, max(t.day) as period_end
    from ${entriesWithPayout}
    where t.account_id = ${accountId} and t.partner_id = any(${partnerIds}::uuid[]) and ${balancePartsSql(now, accountId).due}
    group by t.partner_id`
  const dueTo = new Map(found.map(({ partnerId, ...one }) => [partnerId, one]))
  return (partnerId) => dueTo.get(partnerId) ?? NOTHING
}

type Bound = { payoutId: string; entryId: string }

/**
 * Binds entries to payouts whose rows already have their amounts, in one statement: the database checks that both
 * agree.
 */
export const attachEntries = (tx: Transaction, accountId: string, bound: Bound[]) => tx.run`
  insert into payout_entries (payout_id, entry_id, account_id, approved_at)
  select payout_id, entry_id, ${accountId}, ${tx.now}
  from unnest(${bound.map(({ payoutId }) => payoutId)}::uuid[], ${bound.map(({ entryId }) => entryId)}::uuid[])
    as bound (payout_id, entry_id)
  on conflict (payout_id, entry_id, account_id) do update set live = true, approved_at = excluded.approved_at`

/** Frees a payout's entries: they are due again. The payout's row must change first. */
export const detachEntries = (tx: Transaction, accountId: string, payoutId: string) => tx.run`
  update payout_entries set live = false where account_id = ${accountId} and payout_id = ${payoutId} and live`
