import { minorDigits, toProportion } from '#contract/money.ts'

const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '))

/**
 * Converts Stripe's amount (isk and ugx in hundredths although they have none) to our minor units, half up; a line may
 * be below zero.
 */
export function fromStripe(amount: number, currency: string): number {
  const digits = WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2
  const shift = minorDigits(currency) - digits
  return shift >= 0 ? amount * 10 ** shift : Math.sign(amount) * toProportion(Math.abs(amount), 1, 10 ** -shift)
}
