import { addDays } from './days.ts'
import { inEachLanguage } from './language.ts'
import { paydayPhrases as words } from './paydays-words.ts'

/** The days on which payouts are sent; weekday 1 is Monday. A day past a month's end is the month's last. */
export type Paydays = { every: 'day' } | { every: 'week'; weekday: number } | { every: 'month'; days: number[] }

export const everyDay: Paydays = { every: 'day' }

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const weekdayNames = inEachLanguage((tag) => new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' }))

/** Returns 'Monday' for 1, in the current language; January 1st of 2024 was one. */
const weekdayName = (weekday: number) => weekdayNames().format(Date.UTC(2024, 0, weekday))

const isWithin = (value: number, most: number) => value >= 1 && value <= most

/** Whether these are days of the calendar: a weekday from 1 to 7, one or two different days of the month. */
export function areDays(paydays: Paydays): boolean {
  if (paydays.every === 'day') return true
  if (paydays.every === 'week') return isWithin(paydays.weekday, 7)
  const { days } = paydays
  return days.every((day) => isWithin(day, 31)) && new Set(days).size === days.length
}

const inOrder = (days: readonly number[]) => days.toSorted((a, b) => a - b)

/** Returns the same paydays as they are stored, with the days of the month in order. */
export const storedPaydays = (paydays: Paydays): Paydays =>
  paydays.every === 'month' ? { ...paydays, days: inOrder(paydays.days) } : paydays

export const arePaydaysEqual = (a: Paydays, b: Paydays) => paydaysInWords(a) === paydaysInWords(b)

/** Whether payouts are sent on this date, YYYY-MM-DD. */
export function isPayday(paydays: Paydays, date: string): boolean {
  if (paydays.every === 'day') return true
  const day = new Date(`${date}T00:00:00Z`)
  if (paydays.every === 'week') return day.getUTCDay() === paydays.weekday % 7
  const isLast = addDays(date, 1).endsWith('-01')
  return paydays.days.some((one) => one === day.getUTCDate() || (isLast && one > day.getUTCDate()))
}

function seek(paydays: Paydays, date: string, step: 1 | -1): string {
  let day = date
  while (!isPayday(paydays, day)) day = addDays(day, step)
  return day
}

/** Returns the first payday on or after a date. */
export const paydayFrom = (paydays: Paydays, date: string) => seek(paydays, date, 1)

/** Returns the first payday after a date. */
export const paydayAfter = (paydays: Paydays, date: string) => paydayFrom(paydays, addDays(date, 1))

/** Returns the last payday on or before a date. */
export const paydayUntil = (paydays: Paydays, date: string) => seek(paydays, date, -1)

const ordinals = inEachLanguage((tag) => new Intl.PluralRules(tag, { type: 'ordinal' }))

/** Returns '1st' for 1. */
export const formatOrdinal = (day: number) => {
  const { 1: one, 2: two, 3: few, other } = words.endings
  const endings: { [form in Intl.LDMLPluralRule]?: string } = { one, two, few }
  return `${day}${endings[ordinals().select(day)] ?? other}`
}

/** Returns the paydays in words, to follow 'Payouts are made': 'every day', 'on the 1st and the 15th of each month'. */
export function paydaysInWords(paydays: Paydays): string {
  if (paydays.every === 'day') return words.everyDay
  if (paydays.every === 'week') return words.everyWeekday({ weekday: weekdayName(paydays.weekday) })
  const [first = '', second] = inOrder(paydays.days).map((day) => (day === 31 ? words.lastDay : formatOrdinal(day)))
  const days = second === undefined ? words.oneDay({ day: first }) : words.twoDays({ first, second })
  return paydays.days.some((day) => day === 29 || day === 30) ? words.orLast({ days }) : days
}

/** Returns in sentences when payouts are made: by the program itself, or each by a person. */
export function whenPaidInWords(paydays: Paydays, automatic: boolean): string {
  const days = paydaysInWords(paydays)
  const isDaily = paydays.every === 'day'
  if (automatic) return isDaily ? words.automaticallyEveryDay : words.automatically({ days })
  return isDaily ? words.byPerson : `${words.made({ days })} ${words.byPerson}`
}
