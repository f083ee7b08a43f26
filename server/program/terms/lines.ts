import { splitByShares } from '#contract/money.ts'
import type { RefundLine, SaleLine } from '#contract/sales.ts'

/** The amounts of a sale in minor units: net and gross in its own currency, net in the account's. */
export type LineAmounts = { amount: number; grossAmount: number; accountAmount: number }

/** A line with its part of each amount of its sale. */
export type CountedLine = {
  /** Null for a sale without lines, which counts as one line of no product. */
  line: SaleLine | null
  gross: number
  base: number
}

/**
 * Returns the lines of a sale that count, scaled to its amounts (terms.md, rule 13): those of zero or below are dropped,
 * and those that scale to zero.
 */
export function countedLines(lines: SaleLine[] | null, { amount, grossAmount, accountAmount }: LineAmounts) {
  const whole: CountedLine[] = [{ line: null, gross: grossAmount, base: accountAmount }]
  const positive = (lines ?? []).filter((line) => line.amount > 0)
  if (positive.length === 0 || amount === 0) return whole
  const all = splitByShares(
    amount,
    positive.map((line) => line.amount),
  )
  const counted = positive.flatMap((line, at) => (all[at]! > 0 ? [{ line, net: all[at]! }] : []))
  const nets = counted.map(({ net }) => net)
  const [bases, extras] = [splitByShares(accountAmount, nets), splitByShares(grossAmount - amount, nets)]
  return counted.map(({ line, net }, at): CountedLine => ({ line, gross: net + extras[at]!, base: bases[at]! }))
}

/** A refund that counts: gross, in the sale's currency. */
export type RefundOfLines = { amount: number; lines: RefundLine[] | null }

/**
 * Returns the loss of each line (terms.md, rule 19): the amounts that refunds name for it, at most its own; the rest of
 * `lost` by what each line still has. Depends on the set of refunds, never on their order.
 */
export function lostByLine(lines: CountedLine[], refunds: RefundOfLines[], lost: number): number[] {
  const named = new Map<string, number>()
  for (const { id, amount } of refunds.flatMap(namedLines)) named.set(id, (named.get(id) ?? 0) + amount)
  const own = lines.map(({ line, gross }) => {
    const amount = Math.min(gross, (line && named.get(line.id)) ?? 0)
    if (line) named.set(line.id, (named.get(line.id) ?? 0) - amount)
    return amount
  })
  const left = lines.map(({ gross }, at) => gross - own[at]!)
  const rest = lost - own.reduce((sum, amount) => sum + amount, 0)
  if (rest <= 0) return own
  const rests = splitByShares(rest, left)
  return own.map((amount, at) => amount + rests[at]!)
}

/** Returns the lines of a refund, together at most its amount. */
function namedLines({ amount, lines }: RefundOfLines): RefundLine[] {
  if (!lines || lines.length === 0) return []
  const amounts = lines.map((line) => line.amount)
  const sum = amounts.reduce((all, one) => all + one, 0)
  if (sum <= amount) return lines
  const parts = splitByShares(amount, amounts)
  return lines.map(({ id }, at) => ({ id, amount: parts[at]! }))
}
