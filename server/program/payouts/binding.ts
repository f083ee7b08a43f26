import type { Payout, PayoutMethod } from '#contract/payouts.ts'
import type { Reason } from '#contract/refusals.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { entriesWithPayout } from '../commissions/entry-status.ts'
import { isDue } from './standing.ts'

/** A payout as it is stored, locked until the transaction ends. */
export type LockedPayout = {
  id: string
  partnerId: string
  status: 'gathering' | Exclude<Payout['status'], 'open' | 'due'>
  amount: number | null
  method: PayoutMethod | null
  statementNumber: number
}

/** Refuses: `not_found` for another account's. */
export async function lockPayout(tx: Transaction, accountId: string, id: string): Promise<LockedPayout> {
  const payout = await tx.maybe<LockedPayout>`
    select id, partner_id, status, amount, method, statement_number from payouts
    where id = ${asUuid(id)} and account_id = ${accountId} for update`
  if (!payout) throw notFound()
  return payout
}

/**
 * The payout with what its approval is judged by, none of which changes while this transaction runs: first the partner,
 * then the details, then the payout, as whoever changes these locks them. Refuses: `not_found` for another account's.
 */
export async function lockForJudgement(tx: Transaction, accountId: string, id: string) {
  const partnerId = sql`(select o.partner_id from payouts o where o.id = ${asUuid(id)} and o.account_id = ${accountId})`
  await tx.run`select from partners where id = ${partnerId} for share`
  const details = await tx.maybe<{ detailsSealed: Buffer | null; version: string }>`
    select details_sealed, version from payout_settings where partner_id = ${partnerId} for share`
  return { payout: await lockPayout(tx, accountId, id), details }
}

/** 'A payout that is awaiting funding cannot be approved.' */
export const wrongState = (status: string, reason: Extract<Reason, `payout_not_${string}able`>) =>
  refusal(reason, { status: status.replaceAll('-', ' ') }, { details: { status } })

type Due = { ids: string[]; amount: number; periodStart: string | null; periodEnd: string | null }

/**
 * The entries that are due and their sum. Their sales are locked first: a refund or dispute of one of them is either
 * counted here or finds its entry bound. The moment is the one after the caller's locks, not that of the transaction's
 * beginning: what was taken back while it waited has fallen due by then.
 */
export async function lockDue(tx: Transaction, accountId: string, partnerId: string): Promise<Due> {
  const due = () => sql`
    t.account_id = ${accountId} and t.partner_id = ${partnerId} and ${isDue(tx.database.now)}`
  await tx.run`
    select from sales where id in (select t.sale_id from ${entriesWithPayout} where ${due()} and t.sale_id is not null)
    order by id for share`
  return tx.one<Due>`
    select coalesce(array_agg(t.id::text order by t.id), '{}') as ids, coalesce(sum(t.amount), 0)::bigint as amount,
      min(t.day) as period_start, max(t.day) as period_end
    from ${entriesWithPayout} where ${due()}`
}

/** Binds entries to a payout whose row already has its amount, in one statement: the database compares the two. */
export const bind = (tx: Transaction, accountId: string, payoutId: string, entryIds: string[]) => tx.run`
  insert into payout_entries (payout_id, entry_id, account_id, approved_at)
  select ${payoutId}, entry_id, ${accountId}, ${tx.now} from unnest(${entryIds}::uuid[]) as bound (entry_id)
  on conflict (payout_id, entry_id) do update set live = true, approved_at = excluded.approved_at`

/** Lets a payout's entries go: they are due again. The payout's row changes before. */
export const release = (tx: Transaction, payoutId: string) => tx.run`
  update payout_entries set live = false where payout_id = ${payoutId} and live`
