import { minorDigits, toProportion } from '#contract/money.ts'

const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '))

/**
 * Converts Stripe's amount (isk and ugx in hundredths although they have none) to our minor units, half up; a line may
 * be below zero.
 */
export function fromStripe(amount: number, currency: string): number {
  const shift = minorDigits(currency) - digitsAtStripe(currency)
  return shift >= 0 ? amount * 10 ** shift : Math.sign(amount) * toProportion(Math.abs(amount), 1, 10 ** -shift)
}

/** Converts our minor units to Stripe's amount; exact in every currency that Stripe bills in. */
export function toStripe(amount: number, currency: string): number {
  const shift = digitsAtStripe(currency) - minorDigits(currency)
  return shift >= 0 ? amount * 10 ** shift : toProportion(amount, 1, 10 ** -shift)
}

const digitsAtStripe = (currency: string) => (WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2)
