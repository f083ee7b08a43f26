import { formatZone } from '../format.ts'

/** Returns the zones the browser supports, and always this one, as choices of a `SelectField`. */
export function zoneChoices(own: string) {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])
  return [...zones].sort().map((zone) => ({ value: zone, label: formatZone(zone) }))
}
