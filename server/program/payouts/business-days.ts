/** Returns the same time of day `days` business days after `at`, in UTC: Saturdays and Sundays do not count. */
export function businessDaysAfter(at: Date, days: number): Date {
  const day = new Date(at)
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    const weekday = day.getUTCDay()
    if (weekday !== 0 && weekday !== 6) left--
  }
  return day
}
