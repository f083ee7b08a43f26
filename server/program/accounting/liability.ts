import type { PartnerLiability } from '#contract/accounting.ts'
import { DateOnly, type ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter } from '../../platform/http/list.ts'
import { pageWithTotals } from '../../platform/http/page-with-totals.ts'
import { wrongField } from '../../platform/refusal.ts'
import { dayStart } from '../../platform/time/day-start.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { earnedAmounts } from '../commissions/earned-parts.ts'
import { partnerNameSql } from '../partner-directory/partner-names.ts'

type Sums = Pick<PartnerLiability, 'owed' | 'due' | 'later'>

/** The account whose books these are. */
export type BooksAccount = Pick<AccountFacts, 'id' | 'timeZone' | 'defaultCurrency'>

/** The instant at which a day is over in the account's time zone. */
export const endOfDaySql = ({ timeZone }: Pick<BooksAccount, 'timeZone'>, day: string) =>
  dayStart(sql`(${day}::date + 1)`, timeZone)

/** Parses a day up to today, in the account's time zone. */
export function readDay(text: string, { timeZone }: BooksAccount, now: Date): string {
  if (!DateOnly.safeParse(text).success) throw wrongField('day', 'day_unreadable')
  if (text > dayIn(timeZone, now)) throw wrongField('day', 'day_in_future')
  return text
}

/**
 * Amounts owed to each partner at the end of a day, from what was recorded by then: entries, less the money that was
 * out. Nothing recorded is ever changed, so a past day's rows stay the same. Today's are those of this moment: what is on
 * hold is not yet due. A table to select from, without rows of zeros.
 */
const owedAtEnd = (account: BooksAccount, day: string, now: Date): Sql => {
  const end = endOfDaySql(account, day)
  const recorded =
    day === dayIn(account.timeZone, now)
      ? earnedAmounts(account.id, now, end)
      : sql`
      select t.partner_id, sum(t.amount)::bigint as amount,
        coalesce(sum(t.amount) filter (where t.available_at >= ${end}), 0)::bigint as later
      from commission_entries t where t.account_id = ${account.id} and t.created_at < ${end} group by t.partner_id`
  return sql`(
  select partner_id, owed, (owed - later)::bigint as due, later from (
    select partner_id, sum(amount)::bigint as owed, sum(later)::bigint as later from (
      ${recorded}
      union all
      select partner_id, sum(case kind when 'out' then -amount else amount end)::bigint, 0
      from payout_cash where account_id = ${account.id} and at < ${end} group by partner_id
    ) recorded group by partner_id
  ) t where owed <> 0 or later <> 0)`
}

/** Lists what each partner was owed at the end of a day; the sums cover all pages. */
export async function listLiability(db: Queryable, account: BooksAccount, day: string, query: ListQuery) {
  const name = partnerNameSql(sql`n`)
  // computed once, whatever the planner expects of it
  const from = sql`(
    with x as materialized (select * from ${owedAtEnd(account, day, db.now)} x)
    select n.id, n.created_at, x.partner_id, ${name} as partner_name, x.owed, x.due, x.later
    from x join partners n on n.account_id = ${account.id} and n.id = x.partner_id) t`
  const { totals, ...list } = await pageWithTotals<PartnerLiability, Sums & { count: number }>(
    db,
    query,
    {
      columns: sql`t.partner_id, t.partner_name, t.owed, t.due, t.later`,
      from,
      scope: sql`true`,
      filters: [containsFilter(sql`t.partner_name`, query.search)],
      sorts: {
        owed: { by: sql`t.owed`, type: 'bigint' },
        name: { by: sql`lower(t.partner_name)`, type: 'text' },
      },
    },
    { from, once: true, sums: { owed: sql`t.owed`, due: sql`t.due`, later: sql`t.later` } },
  )
  const { owed, due, later } = totals
  return { ...list, day, timeZone: account.timeZone, currency: account.defaultCurrency, owed, due, later }
}

/** Returns what all partners together were owed at the end of a day. */
export const getLiability = (db: Queryable, account: BooksAccount, day: string) => db.one<Sums>`
  select coalesce(sum(owed), 0)::bigint as owed, coalesce(sum(due), 0)::bigint as due,
    coalesce(sum(later), 0)::bigint as later
  from ${owedAtEnd(account, day, db.now)} x`
