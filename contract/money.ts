const digits = new Map<string, number>()

/** Digits after the point of a currency's amounts: 2 for usd, 0 for jpy (ISO 4217, as the runtime's data has it). */
export function minorDigits(currency: string): number {
  let known = digits.get(currency)
  if (known === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() })
    known = format.resolvedOptions().maximumFractionDigits ?? 2
    digits.set(currency, known)
  }
  return known
}

/** `amount × numerator / denominator`, exact, rounded half up; for amounts from zero. */
export function proportion(amount: number, numerator: number, denominator: number): number {
  const product = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)
  return Number(product / (2n * BigInt(denominator)))
}

/** An amount of one currency in another's minor units, rounded half up once; `rate` is units of `to` for one of `from`. */
export function exchange(amount: number, from: string, to: string, rate: number): number {
  const [digitsOfRate, decimals] = decimal(rate)
  const up = BigInt(amount) * digitsOfRate * 10n ** BigInt(minorDigits(to))
  const down = 10n ** BigInt(decimals + minorDigits(from))
  return Number((2n * up + down) / (2n * down))
}

/** A number's shortest decimal form as an integer and how many of its digits stand after the point. */
function decimal(value: number): [digits: bigint, decimals: number] {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const all = BigInt(whole + fraction)
  return decimals >= 0 ? [all, decimals] : [all * 10n ** BigInt(-decimals), 0]
}

/** An amount in words for a message: '$1,234.50'. */
export const moneyInWords = (amount: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    amount / 10 ** minorDigits(currency),
  )
