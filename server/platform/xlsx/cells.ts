/** Returns the text of a number as it is stored, or the day or time that its format shows. */
export type DayOf = (number: string, isDay: boolean) => string

/** Formats of days and times that have a number but no text in a workbook; of these 45 to 47 are times. */
const BUILT_IN = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[57]|5[0-8])$/

/** Whether a format shows numbers as days or times of day; not as a span of time such as `[h]:mm`. */
export function isDayFormat(id: number, code?: string): boolean {
  if (code === undefined) return BUILT_IN.test(String(id))
  const shown = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^[\]]*\]/g, (part) =>
    /^\[(?:h+|m+|s+)\]$/i.test(part) ? 'span' : '',
  )
  return !shown.includes('span') && /[dmyhs]/i.test(shown.split(';')[0]!.replace(/general/i, ''))
}

const DAY_MS = 86_400_000

/** Returns how the numbers of days count: from 1904, or from 1900, which spreadsheets take for a leap year. */
export function dayCounting(from1904: boolean): DayOf {
  const dayZero = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  return (number, isDay) => {
    const days = isDay ? Number(number) : Number.NaN
    if (!(days >= 0 && days < 2_958_466)) return plainNumber(number)
    const early = !from1904 && days < 60 ? 1 : 0
    const at = new Date(Math.round((dayZero + (days + early) * DAY_MS) / 1000) * 1000).toISOString()
    const [day, time] = [at.slice(0, 10), at.slice(11, 19)]
    if (days < 1) return time
    return time === '00:00:00' ? day : `${day} ${time}`
  }
}

/** Writes a number with all its digits; those that only its storing added are left out: 8.2100000000000009 is 8.21. */
function plainNumber(stored: string): string {
  if (/^-?\d+$/.test(stored)) return stored
  const number = Number(stored)
  if (stored === '' || !Number.isFinite(number)) return stored
  const text = String(number)
  if (!text.includes('e')) return text
  return Number.isInteger(number) ? String(BigInt(number)) : number.toFixed(20).replace(/(?<!0)0+$/, '')
}

/** Signs that XML can’t hold are written `_x000D_`. */
export const cellText = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
