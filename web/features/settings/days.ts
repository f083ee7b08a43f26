import { arePaydaysEqual, everyDay, isPayday, type Paydays, paydayAfter, paydayFrom } from '#contract/paydays.ts'

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
