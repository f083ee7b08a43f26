import { DateOnly } from '#contract/values.ts'
import { wrongField } from '../refusal.ts'
import { daysBetween } from './days.ts'

/** Days in the account's time zone, both included. */
export type Range = { from: string; to: string }

const TEN_YEARS = 3660

/**
 * Parses `{from}..{to}` of the field `field`. Refuses: other forms, an end before its start, more than ten years, other
 * centuries than ours.
 */
export function readRange(text: string, field = 'range'): Range {
  const [from = '', to = '', more] = text.split('..')
  const dates = more === undefined && DateOnly.safeParse(from).success && DateOnly.safeParse(to).success
  if (!dates) throw wrongField(field, 'range_unreadable')
  if (from < '1900-01-01' || to > '2999-12-31') throw wrongField(field, 'range_out_of_bounds')
  if (to < from) throw wrongField(field, 'range_backwards')
  if (daysBetween(from, to) > TEN_YEARS) throw wrongField(field, 'range_too_long')
  return { from, to }
}
