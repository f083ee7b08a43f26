/**
 * The result of a payment, a second time and as plainly as can be: from its events at the provider alone, so that their
 * order cannot matter. Nothing of the product is imported.
 */
export type Payment = {
  /** The payment intent, which is its sale's external id. */
  id: string
  currency: string
  /** The agreed amount, tax included, and the part of it that was paid in the end. */
  total: bigint
  tax: bigint
  taken: bigint
  given: Given[]
}

/** A refund or dispute, with its outcome. `currency` may differ from the payment's. */
export type Given = {
  kind: 'refund' | 'dispute'
  amount: bigint
  currency: string
  end: 'pending' | 'succeeded' | 'failed'
}

export type Terms = {
  accountCurrency: string
  decimals: Record<string, number>
  /** Percent by layer. */
  rates: bigint[]
  /** Units of the account's currency for one unit of another. */
  exchangeRates: Record<string, [up: bigint, down: bigint]>
}

export type Expected = {
  gross: bigint
  net: bigint
  tax: bigint
  refunded: bigint
  status: string
  /** Net in the account's currency. */
  base: bigint
  /** The rest of each layer's commission. */
  layers: bigint[]
}

const halfUp = (amount: bigint, numerator: bigint, denominator: bigint) =>
  (2n * amount * numerator + denominator) / (2n * denominator)

export function expectedSale(payment: Payment, terms: Terms, isVoid: boolean): Expected {
  const { total, taken } = payment
  const net = halfUp(total - payment.tax, taken, total)
  const refunded = lostOf(payment, terms)
  const base = inAccountCurrency(net, payment.currency, terms)
  let left = base
  const layers = terms.rates.map((rate) => {
    const share = halfUp(base, rate, 100n)
    const earned = share < left ? share : left
    left -= earned
    return isVoid ? 0n : earned - halfUp(earned, refunded, taken)
  })
  const status = isVoid ? 'void' : statusOf(payment, refunded)
  // the sum of both may round up to more than was paid
  const rounded = halfUp(payment.tax, taken, total)
  const tax = rounded < taken - net ? rounded : taken - net
  return { gross: taken, net, tax, refunded, status, base, layers }
}

function inAccountCurrency(amount: bigint, currency: string, { accountCurrency, decimals, exchangeRates }: Terms) {
  if (currency === accountCurrency) return amount
  const [up, down] = exchangeRates[currency]!
  return halfUp(amount, up * 10n ** BigInt(decimals[accountCurrency]!), down * 10n ** BigInt(decimals[currency]!))
}

function fromAccountCurrency(worth: bigint, currency: string, { accountCurrency, decimals, exchangeRates }: Terms) {
  if (currency === accountCurrency) return worth
  const [up, down] = exchangeRates[currency]!
  return halfUp(worth, down * 10n ** BigInt(decimals[currency]!), up * 10n ** BigInt(decimals[accountCurrency]!))
}

/** A refund in another currency counts by its worth in the account's, at the payment's own rate. */
function lostOf(payment: Payment, terms: Terms) {
  const gone = payment.given
    .filter(({ kind, end }) => (kind === 'refund' ? end !== 'failed' : end === 'succeeded'))
    .map(({ amount, currency }) => {
      if (currency === payment.currency) return amount
      const worth = inAccountCurrency(amount, currency, terms)
      // the whole amount stays whole, without a rounding difference there and back
      if (worth === inAccountCurrency(payment.taken, payment.currency, terms)) return payment.taken
      return fromAccountCurrency(worth, payment.currency, terms)
    })
    .reduce((sum, amount) => sum + amount, 0n)
  return gone < payment.taken ? gone : payment.taken
}

function statusOf({ given, taken }: Payment, refunded: bigint) {
  const disputes = given.filter(({ kind }) => kind === 'dispute')
  if (disputes.some(({ end }) => end === 'succeeded')) return 'charged-back'
  if (disputes.some(({ end }) => end === 'pending')) return 'disputed'
  if (refunded === 0n) return 'completed'
  return refunded === taken ? 'refunded' : 'partially-refunded'
}
