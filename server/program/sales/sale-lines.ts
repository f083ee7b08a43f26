import { linesAddingUpTo, MOST_LINES, type NewSaleLine, type SaleLine, sumLines } from '#contract/sales.ts'
import { wrongField } from '../../platform/refusal.ts'

/**
 * Returns the lines to store, the first with each id; the last of too many is one line without product. Null if there
 * are none.
 */
export function linesToStore(given: SaleLine[] | null | undefined): SaleLine[] | null {
  if (!given?.length) return null
  const lines = given.filter(({ id }, place) => given.findIndex((line) => line.id === id) === place)
  if (lines.length <= MOST_LINES) return lines
  const kept = lines.slice(0, MOST_LINES - 1)
  const rest = lines.slice(kept.length).filter(({ amount }) => amount > 0)
  if (rest.length === 0) return kept
  const unnamed = { productId: null, priceId: null, sku: null, name: null, quantity: null }
  return [...kept, { id: 'rest', ...unnamed, amount: sumLines(rest) }]
}

/** Returns the lines given with a sale of this net amount. Refuses: lines that do not add up to it. */
export function requireLines(amount: number, lines: NewSaleLine[] | null | undefined): SaleLine[] {
  const given = linesAddingUpTo(amount, lines ?? [])
  if (!given) throw wrongField('lines', 'lines_do_not_add_up')
  return given
}
