import { minorDigits } from '#contract/money.ts'

/** The minor units of a decimal text; half up where it has more decimals than the currency; null where it is none. */
export function fromDecimal(text: unknown, currency: string): number | null {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (whole === undefined) return null
  const decimals = minorDigits(currency)
  const kept = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const minor = kept + (Number(fraction[decimals] ?? 0) >= 5 ? 1 : 0)
  return sign && minor > 0 ? -minor : minor
}
