import { inEachLanguage } from './language.ts'

/**
 * Digits after the point in each currency's amounts, by ISO 4217 as published on 2026-01-01, with recently withdrawn
 * codes, whose books are still read. A table of our own: the runtime's data counts some currencies as people use them
 * and changes with its version, which must never change the meaning of a stored amount.
 */
const digitsOf: Record<string, number> = Object.fromEntries(
  Object.entries({
    0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf',
    2: `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop crc
      cuc cup cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl hrk htg huf idr ils inr irr
      jmd kes kgs khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio
      nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek sgd shp sle sll sos srd ssp stn svc syp szl
      thb tjs tmt top try ttd twd tzs uah usd uyu uzs ves wst xcd xcg xdr xsu yer zar zmw zwg zwl`,
    3: 'bhd iqd jod kwd lyd omr tnd',
  }).flatMap(([digits, codes]) => codes.split(/\s+/).map((code) => [code, Number(digits)])),
)

/** Every code of the table, lower case. */
export const currencyCodes: readonly string[] = Object.keys(digitsOf).sort()

/** Returns the digits after the point of a currency's amounts: 2 for usd, 0 for jpy. */
export const minorDigits = (currency: string): number => digitsOf[currency.toLowerCase()] ?? 2

/** Formats minor units as a plain decimal of their currency: 12550 usd is `125.50`. Never through a float. */
export function decimalAmount(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  const fraction = digits ? `.${text.slice(-digits)}` : ''
  return `${amount < 0 ? '-' : ''}${text.slice(0, text.length - digits)}${fraction}`
}

/**
 * Parses a decimal text such as `125.50` into minor units; rounds half up if it has more decimals than the currency,
 * null if it is not a decimal. Never through a float.
 */
export function fromDecimal(text: unknown, currency: string): number | null {
  const [, sign, whole, fraction = ''] = /^(-?)(?=\.?\d)(\d{0,15})(?:\.(\d+))?$/.exec(String(text)) ?? []
  if (whole === undefined) return null
  const decimals = minorDigits(currency)
  const kept = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const minor = kept + (Number(fraction[decimals] ?? 0) >= 5 ? 1 : 0)
  return sign && minor > 0 ? -minor : minor
}

/** Returns `amount × numerator / denominator`, exact, rounded half up; for amounts from zero. */
export function toProportion(amount: number, numerator: number, denominator: number): number {
  const product = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)
  return Number(product / (2n * BigInt(denominator)))
}

/**
 * Splits a total by shares, all from zero: each part is the difference of two rounded running totals, so that the parts
 * add up to the total. Zeros if there are no shares.
 */
export function splitByShares(total: number, shares: number[]): number[] {
  const sum = shares.reduce((before, share) => before + share, 0)
  let [upTo, given] = [0, 0]
  return shares.map((share) => {
    upTo += share
    const part = sum === 0 ? 0 : toProportion(total, upTo, sum) - given
    given += part
    return part
  })
}

/**
 * Converts an amount to another currency's minor units, rounded half up once; `rate` is units of `to` for one of
 * `from`.
 */
export function convertAmount(amount: number, from: string, to: string, rate: number): number {
  const [digitsOfRate, decimals] = decimal(rate)
  const up = BigInt(amount) * digitsOfRate * 10n ** BigInt(minorDigits(to))
  const down = 10n ** BigInt(decimals + minorDigits(from))
  return Number((2n * up + down) / (2n * down))
}

/** Splits a number's shortest decimal form into an integer and the number of its digits after the point. */
function decimal(value: number): [digits: bigint, decimals: number] {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const all = BigInt(whole + fraction)
  return decimals >= 0 ? [all, decimals] : [all * 10n ** BigInt(-decimals), 0]
}

const formats = inEachLanguage((tag, currency) => {
  const digits = minorDigits(currency)
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    useGrouping: 'always',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
})

/** Formats an amount for a message: '$1,234.50'. */
export const moneyInWords = (amount: number, currency: string) =>
  formats(currency).format(amount / 10 ** minorDigits(currency))
