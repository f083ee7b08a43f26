import { hourIn } from '#contract/days.ts'
import { isPayday, type Paydays, paydayAfter, paydayUntil } from '#contract/paydays.ts'
import { orderedMethods } from '#contract/payout-settings.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { addDays, dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from './account-facts.ts'

/** The hour of a payday, in the account's time zone. */
export const RUN_AT = 6

/** The task of the automatic run of earlier releases, which had one method. */
export const FIRST_RUN_TASK = 'automatic-payouts'

/** The task of another method's automatic run: each makes up for its own. */
export const runTask = (method: string) => `${FIRST_RUN_TASK}:${method}`

/** The task of the mail that payouts wait. */
export const MAIL_TASK = 'payday-mail'

/** The tasks that a payday brings. */
export const paydayTasks = [FIRST_RUN_TASK, ...orderedMethods.map(runTask), MAIL_TASK]

type Calendar = Pick<AccountFacts, 'paydays' | 'timeZone'>

/** Whether the hour of a payday has come today. */
export const hasHourCome = (timeZone: string, at: Date) => hourIn(timeZone, at) >= RUN_AT

/**
 * Returns the payday whose run is made now: the last one, unless it is done. Every day brings its own run, so that a
 * missed one is not made at night.
 */
export function paydayToRun({ paydays, timeZone }: Calendar, at: Date, doneOn: string | null): string | null {
  const today = dayIn(timeZone, at)
  const hasCome = hasHourCome(timeZone, at)
  if (paydays.every === 'day' && !hasCome) return null
  const day = paydayUntil(paydays, hasCome ? today : addDays(today, -1))
  return isOpen(day, doneOn) ? day : null
}

/** Returns the date of the next run: today, while the last payday is not done. */
export function nextRunDay({ paydays, timeZone }: Calendar, at: Date, doneOn: string | null): string {
  const today = dayIn(timeZone, at)
  return isOpen(paydayUntil(paydays, today), doneOn) ? today : paydayAfter(paydays, today)
}

const isOpen = (day: string, doneOn: string | null) => doneOn === null || day > doneOn

/** Returns, as a date, the first payday on or after this one: `paydayFrom` in SQL. */
export function paydayFromSql(paydays: Paydays, day: Sql): Sql {
  if (paydays.every === 'day') return day
  if (paydays.every === 'week')
    return sql`(${day} + (${paydays.weekday + 7}::integer - extract(isodow from ${day})::integer) % 7)`
  return sql`(
    select min(c.day) from generate_series(0, 1) ahead,
      lateral (select (date_trunc('month', ${day}::timestamp) + make_interval(months => ahead))::date as first) m,
      unnest(${paydays.days}::integer[]) nth,
      lateral (select least(m.first + nth - 1, (m.first + interval '1 month')::date - 1) as day) c
    where c.day >= ${day})`
}

/** Whether today is a payday. */
export const isPaydayToday = ({ paydays, timeZone }: Calendar, at: Date) => isPayday(paydays, dayIn(timeZone, at))
