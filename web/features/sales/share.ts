import { minorDigits } from '#contract/money.ts'
import type { Receipt } from '#contract/sales.ts'

const PPM = 1_000_000n

/** An amount's derivation from its base and rate. */
export type Share =
  | { kind: 'exact' }
  /** `exact` is a plain decimal in the currency. */
  | { kind: 'rounded'; exact: string }
  /** Capped: the layers before left less of the sale than the rate would yield. */
  | { kind: 'capped'; exact: string }
  /** Not calculated here, but imported with the sale. */
  | { kind: 'given' }

/** Returns null without a base or rate to calculate with, or if this reader may not see them. */
export function computeShare({ entry, rate, sale }: Pick<Receipt, 'entry' | 'rate' | 'sale'>): Share | null {
  if (entry.kind !== 'earned' || !rate || entry.baseAmount === null) return null
  if (sale?.provider === 'import' && rate.source === null) return { kind: 'given' }
  const product = BigInt(entry.baseAmount) * BigInt(Math.round(rate.percent * 10_000))
  const halfUp = (2n * product + PPM) / (2n * PPM)
  if (BigInt(entry.amount) !== halfUp) return { kind: 'capped', exact: decimalOf(product, entry.currency) }
  return product % PPM === 0n ? { kind: 'exact' } : { kind: 'rounded', exact: decimalOf(product, entry.currency) }
}

/** Returns millionths of minor units as a decimal of the currency, without trailing zeros. */
function decimalOf(product: bigint, currency: string) {
  const digits = minorDigits(currency) + 6
  const text = String(product).padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '')
}
