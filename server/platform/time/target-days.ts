import { addDays } from './days.ts'

// The days on which the euro's payment system (TARGET) works, so that banks carry out transfers.

/** Holidays of every year, and those by their days from Easter Sunday. */
const FIXED = ['01-01', '05-01', '12-25', '12-26']
const FROM_EASTER = [-2, 1]

/** Returns Easter Sunday of a year (the anonymous Gregorian rule). */
function easterOf(year: number): string {
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const golden = year % 19
  const moved = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + moved + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - moon - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * weekday) / 451)
  const days = moon + weekday - 7 * late + 114
  return `${year}-${String(Math.floor(days / 31)).padStart(2, '0')}-${String((days % 31) + 1).padStart(2, '0')}`
}

function isTargetDay(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6 || FIXED.includes(date.slice(5))) return false
  const easter = easterOf(Number(date.slice(0, 4)))
  return !FROM_EASTER.some((days) => addDays(easter, days) === date)
}

/** Returns the first day on or after this date on which banks carry out transfers in euros. */
export function targetDayFrom(date: string): string {
  let day = date
  while (!isTargetDay(day)) day = addDays(day, 1)
  return day
}
