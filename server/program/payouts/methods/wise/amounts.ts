import { minorDigits } from '#contract/money.ts'

/** Minor units as the decimal text Wise reads: 12550 usd is `125.50`. Never through a float. */
export function toDecimal(minor: number, currency: string): string {
  const decimals = minorDigits(currency)
  const text = String(Math.abs(minor)).padStart(decimals + 1, '0')
  const whole = text.slice(0, text.length - decimals)
  const fraction = decimals ? `.${text.slice(-decimals)}` : ''
  return `${minor < 0 ? '-' : ''}${whole}${fraction}`
}

/** The minor units of a decimal text; half up where it has more decimals than the currency; null where it is none. */
export function fromDecimal(text: unknown, currency: string): number | null {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (whole === undefined) return null
  const decimals = minorDigits(currency)
  const kept = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const minor = kept + (Number(fraction[decimals] ?? 0) >= 5 ? 1 : 0)
  return sign && minor > 0 ? -minor : minor
}
