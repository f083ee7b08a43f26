import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { entriesWithPayout, entryStatus } from '../../../program/commissions/entry-status.ts'

/** The fields of a lead that mails need. */
export type LeadToTell = { id: string; partnerId: string | null; protectedUntil: string | null }

const leadToTell = sql`l.id, l.partner_id, l.protected_until`

/** Returns those of these leads that are still new. */
export const newLeads = (db: Queryable, accountId: string, ids: string[]) => db.many<LeadToTell>`
  select ${leadToTell} from leads l
  where l.account_id = ${accountId} and l.id = any(${ids}::uuid[]) and l.status = 'new'
  order by l.created_at, l.id`

/** Returns those of these leads whose protection still ends soon; for a partner their own. */
export const leadsEnding = (
  db: Queryable,
  accountId: string,
  partnerId: string | null,
  ids: string[],
) => db.many<LeadToTell>`
  select ${leadToTell} from leads l
  where l.account_id = ${accountId} and l.id = any(${ids}::uuid[]) and l.status in ('new', 'qualified')
    and (${partnerId}::uuid is null or l.partner_id = ${partnerId})
    and l.protected_until between ${db.now} and ${db.now}::timestamptz + interval '16 days'
  order by l.protected_until, l.id`

type EntryToTell = { id: string; saleId: string; amount: number; currency: string }

/** Returns a partner's relevant entries: none of a voided sale. */
export const entriesToTell = (
  db: Queryable,
  accountId: string,
  partnerId: string | null,
  ids: string[],
) => db.many<EntryToTell>`
  select t.id, t.sale_id, t.amount, t.currency from ${entriesWithPayout}
  where t.account_id = ${accountId} and t.partner_id = ${partnerId} and t.id = any(${ids}::uuid[])
    and (t.amount < 0 or ${entryStatus(db.now)} <> 'void')
  order by abs(t.amount) desc, t.id`

/** Returns those of these payouts that wait for the owner, the latest first. */
export async function payoutsInTrouble(db: Queryable, accountId: string, ids: string[]): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select id from payouts
    where account_id = ${accountId} and id = any(${ids}::uuid[]) and status in ('failed', 'returned', 'awaiting-funding')
    order by updated_at desc, id`
  return rows.map(({ id }) => id)
}

type MonthSums = { earned: number; reversed: number; adjusted: number; paid: number }

/** Returns a partner's earnings and payments of a month; both by dates in the account's time zone. */
export const monthOfPartner = (
  db: Queryable,
  { timeZone }: Pick<AccountFacts, 'timeZone'>,
  partnerId: string,
  month: string,
) => db.one<MonthSums>`
  select
    coalesce(sum(t.amount) filter (where t.kind in ('earned', 'restoration')), 0)::bigint as earned,
    coalesce(sum(t.amount) filter (where t.kind = 'reversal'), 0)::bigint as reversed,
    coalesce(sum(t.amount) filter (where t.kind in ('adjustment', 'bonus')), 0)::bigint as adjusted,
    (select coalesce(sum(o.amount), 0)::bigint from payouts o
      where o.partner_id = ${partnerId} and o.status = 'paid'
        and to_char(o.paid_at at time zone ${timeZone}, 'YYYY-MM') = ${month}) as paid
  from commission_entries t left join sales s on s.account_id = t.account_id and s.id = t.sale_id
  where t.partner_id = ${partnerId} and to_char(t.day, 'YYYY-MM') = ${month}
    -- what was earned by mistake and taken back in the same month has never been
    and (s.status is distinct from 'void' or (
      select sum(o.amount) from commission_entries o
      where o.sale_id = t.sale_id and o.partner_id = t.partner_id and to_char(o.day, 'YYYY-MM') = ${month}) <> 0)`
