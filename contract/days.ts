// Days as data, YYYY-MM-DD. They are made of numbers and never read from the text of a locale, whose order and signs
// differ between engines and change with their releases.

type Zone = { format: Intl.DateTimeFormat; minute: number; day: string; hour: number }
const zones = new Map<string, Zone>()

function zoneOf(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  const zone = { format, minute: Number.NaN, day: '', hour: 0 }
  zones.set(timeZone, zone)
  return zone
}

/** Returns the day and the hour of an instant. No zone's hour ends within a minute: each minute is worked out once. */
function inZone(timeZone: string, at: Date): Zone {
  const minute = Math.floor(at.getTime() / 60_000)
  const zone = zones.get(timeZone) ?? zoneOf(timeZone)
  if (zone.minute === minute) return zone
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of zone.format.formatToParts(at)) part[type] = value
  zone.day = `${part.year!.padStart(4, '0')}-${part.month}-${part.day}`
  zone.hour = Number(part.hour)
  zone.minute = minute
  return zone
}

/** Returns the calendar date of an instant in a time zone. */
export const dayIn = (timeZone: string, at: Date): string => inZone(timeZone, at).day

/** Returns the hour of an instant in a time zone, 0 to 23. */
export const hourIn = (timeZone: string, at: Date): number => inZone(timeZone, at).hour

/** Returns the date `days` later, or earlier if negative. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
