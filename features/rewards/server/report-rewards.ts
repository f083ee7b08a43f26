import type { Queryable } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { addDays, startOfDay } from '#server/platform/time/days.ts'
import { readRange } from '#server/platform/time/range.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { partnerNameSql } from '#server/program/partner-directory/partner-names.ts'
import type { RewardReport } from '../contract.ts'

/** Most balances below zero that a report names, the lowest first. */
const MOST_BELOW = 100

/** The partners in groups of customers. */
const customers = (accountId: string) => sql`(
  select p.id from partners p join groups g on g.account_id = ${accountId} and g.id = p.group_id
  where p.account_id = ${accountId} and g.kind = 'customers')`

type Given = RewardReport['months'][number]['given'][number] & { month: string }
type Month = Pick<RewardReport['months'][number], 'month' | 'earned' | 'newCustomers'>

/** Returns what customers earned, were given and brought in each month of a range, and who owes more than they earned. */
export async function presentRewardReport(
  db: Queryable,
  { id, timeZone, defaultCurrency: currency }: AccountFacts,
  range: string,
): Promise<RewardReport> {
  const { from, to } = readRange(range)
  const [since, until] = [startOfDay(from, timeZone), startOfDay(addDays(to, 1), timeZone)]
  const given = await db.many<Given>`
    select to_char(paid_on, 'YYYY-MM') as month, reward ->> 'as' as "as", reward ->> 'unitName' as unit_name, count(*) as count,
      sum(amount / (reward ->> 'unitValue')::bigint)::bigint as units, sum(amount)::bigint as amount
    from payouts
    where account_id = ${id} and reward is not null and status = 'paid' and paid_on between ${from} and ${to}
    group by 1, 2, 3 order by 1, 2, 3`
  const months = await db.many<Month>`
    select month, sum(earned)::bigint as earned, sum(new_customers)::bigint as new_customers from (
      select to_char(day, 'YYYY-MM') as month, amount as earned, 0 as new_customers from commission_entries
      where account_id = ${id} and day between ${from} and ${to} and partner_id in ${customers(id)}
      union all
      select to_char(first_won_at at time zone ${timeZone}::text, 'YYYY-MM'), 0, 1 from leads
      where account_id = ${id} and first_won_at >= ${since} and first_won_at < ${until} and partner_id in ${customers(id)}) t
    group by 1 order by 1`
  const givenIn = Map.groupBy(given, ({ month }) => month)
  for (const month of givenIn.keys())
    if (!months.some((one) => one.month === month)) months.push({ month, earned: 0, newCustomers: 0 })
  months.sort((a, b) => a.month.localeCompare(b.month))
  const below = await db.many<RewardReport['belowZero'][number]>`
    select t.id as partner_id, ${partnerNameSql(sql`t`)} as partner_name, t.external_id, b.balance
    from (
        select partner_id, sum(amount)::bigint as balance from (
          select partner_id, amount from commission_entries where account_id = ${id} and partner_id in ${customers(id)}
          union all
          select partner_id, case kind when 'out' then -amount else amount end from payout_cash
          where account_id = ${id} and partner_id in ${customers(id)}) booked
        group by partner_id having sum(amount) < 0) b
      join partners t on t.account_id = ${id} and t.id = b.partner_id
    order by b.balance, t.id limit ${MOST_BELOW}`
  return {
    currency,
    months: months.map(({ month, earned, newCustomers }) => ({
      month,
      earned,
      newCustomers,
      costPerCustomer: newCustomers > 0 ? Math.round(earned / newCustomers) : null,
      given: (givenIn.get(month) ?? []).map(({ month: _, ...one }) => one),
    })),
    belowZero: below,
  }
}
