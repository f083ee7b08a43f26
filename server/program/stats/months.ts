import type { Transaction } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, daysBetween, firstOfMonth, lastOfMonth } from '../../platform/time/days.ts'
import type { Range } from '../../platform/time/range.ts'
import { earnedForCaps } from '../terms/earned-months.ts'
import { partnerRowsSql } from './history.ts'

/**
 * Returns the sales of partners in the range (partner_id, sales, revenue), to be summed: whole months, and the days by
 * which they differ from the range. However long it is, those days are less than two half months.
 */
export function soldBy(accountId: string, range: Range, today: string): Sql {
  const { months, days } = inMonths(range, today)
  // one part per few days, for the index: for a list of days the planner would expect most of the table
  const parts = days.map(
    ({ from, to, sign }) => sql`
      select partner_id, sales * ${sign}::integer, revenue * ${sign}::integer from day_stats
      where account_id = ${accountId} and ${partnerRowsSql} and day between ${from} and ${to}`,
  )
  const whole = sql`
      select partner_id, sales, revenue from month_stats
      where account_id = ${accountId} and month = any(${months}::date[])`
  return sql`(${joinSql([whole, ...parts], ' union all ')})`
}

/** Days to add, or to subtract from a month. */
type Days = Range & { sign: 1 | -1 }

/**
 * Splits the range into months: each is counted as a whole if fewer days need to be subtracted than added. Days after
 * today cost nothing, since they have almost no rows.
 */
export function inMonths(range: Range, today: string): { months: string[]; days: Days[] } {
  const months: string[] = []
  const days: Days[] = []
  for (let month = firstOfMonth(range.from); month <= range.to; month = addDays(lastOfMonth(month), 1)) {
    const last = lastOfMonth(month)
    const from = month < range.from ? range.from : month
    const to = last > range.to ? range.to : last
    const adjacent = [
      { from: month, to: addDays(from, -1) },
      { from: addDays(to, 1), to: last },
    ].filter((one) => one.from <= one.to)
    const past = (one: Range) => Math.max(0, daysBetween(one.from, one.to < today ? one.to : today) + 1)
    if (adjacent.reduce((sum, one) => sum + past(one), 0) < past({ from, to })) {
      months.push(month)
      days.push(...adjacent.map((one) => ({ ...one, sign: -1 as const })))
    } else days.push({ from, to, sign: 1 })
  }
  return { months, days }
}

/** The rows of `month_stats` as they follow from the days, and from the ledger, where `of` is true. */
export const monthsExpected = (of: (table: Sql) => Sql) => sql`
  select account_id, date_trunc('month', day::timestamp)::date as month, partner_id,
    sum(sales) as sales, sum(revenue) as revenue, sum(earned) as earned
  from (
    select account_id, day, partner_id, sales, revenue, 0 as earned from day_stats d where ${partnerRowsSql} and ${of(sql`d`)}
    union all
    select account_id, sale_date, partner_id, 0, 0, amount from ${earnedForCaps(of)} e) facts
  group by 1, 2, 3`

/** Fills an account's months after its days and its ledger were imported. */
export const fillMonths = (tx: Transaction, accountId: string) => tx.run`
  insert into month_stats (account_id, month, partner_id, sales, revenue, earned)
  select * from (${monthsExpected((table) => sql`${table}.account_id = ${accountId}`)}) m
  where sales <> 0 or revenue <> 0 or earned <> 0 order by 1, 2, 3`
