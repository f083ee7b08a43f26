/** The time of day of `at`, `days` business days later, in UTC: Saturdays and Sundays do not count. */
export function businessDaysAfter(at: Date, days: number): Date {
  const day = new Date(at)
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    const weekday = day.getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return day
}
