import { minorDigits } from '#contract/money.ts'
import type { Receipt } from '#contract/sales.ts'

const PPM = 1_000_000n

/** How an amount follows from its base and rate. */
export type Share =
  | { kind: 'exact' }
  /** `exact` is a plain decimal of the currency. */
  | { kind: 'rounded'; exact: string }
  /** More would be more than the sale: the layers before took the rest. */
  | { kind: 'capped'; exact: string }
  /** It was not calculated here but came with the sale. */
  | { kind: 'given' }

/** Null where there is no base or rate to calculate with, or none that this reader may see. */
export function shareOf({ entry, rate, sale }: Pick<Receipt, 'entry' | 'rate' | 'sale'>): Share | null {
  if (entry.kind !== 'earned' || !rate || entry.baseAmount === null) return null
  if (sale?.provider === 'import' && rate.source === null) return { kind: 'given' }
  const product = BigInt(entry.baseAmount) * BigInt(Math.round(rate.percent * 10_000))
  const halfUp = (2n * product + PPM) / (2n * PPM)
  if (BigInt(entry.amount) !== halfUp) return { kind: 'capped', exact: decimalOf(product, entry.currency) }
  return product % PPM === 0n ? { kind: 'exact' } : { kind: 'rounded', exact: decimalOf(product, entry.currency) }
}

/** Millionths of minor units as a decimal of the currency, without zeros at its end. */
function decimalOf(product: bigint, currency: string) {
  const digits = minorDigits(currency) + 6
  const text = String(product).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '')
}
