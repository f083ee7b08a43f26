import { arePaydaysEqual, everyDay, isPayday, type Paydays, paydayAfter, paydayFrom } from '#contract/paydays.ts'

/** Returns the calendar day `days` days after `day`, both YYYY-MM-DD. */
export function daysAfter(day: string, days: number) {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

/** The hour of the daily automatic run, in the account's time zone. */
const RUN_AT = 6

/**
 * Returns the day of the next automatic run; null if it starts as soon as automatic payouts are switched on: today's
 * hour has passed on a payday, and nothing has run. Paydays that are changed count from the next day on.
 */
export function nextRunDay(
  today: string,
  hour: number,
  alreadyOn: boolean,
  { saved, paydays }: { saved: Paydays; paydays: Paydays } = { saved: everyDay, paydays: everyDay },
) {
  if (hour < RUN_AT) return paydayFrom(paydays, today)
  const isOver = alreadyOn || !arePaydaysEqual(saved, paydays)
  if (!isOver && isPayday(paydays, today)) return null
  return paydayAfter(paydays, today)
}

/** Returns the hour of the day in a time zone, 0 to 23. */
export const hourIn = (timeZone: string, now = new Date()) =>
  Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now))
