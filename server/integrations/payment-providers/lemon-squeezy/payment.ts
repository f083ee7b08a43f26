import { type Mark, unnamedRefunds } from '../cumulative-refunds.ts'
import { netOfTax } from '../net-of-tax.ts'
import { readLine } from '../payment-lines.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { inOrder, isReported, kindsAmong, refundReport, toPayer } from '../provider-objects.ts'
import { carriedIn, type Item, type LemonSqueezyBill, type Subscription } from './objects.ts'

/**
 * Returns the payment of an order, or of a later invoice of a subscription. The first invoice repeats the order's
 * payment, unless the order was free because of a trial.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const ordered = inOrder(objects)
  const of = kindsAmong(ordered)
  const bills = billsAmong(objects)
  const bill = bills.find(isPaid)
  if (!bill || !isReported(objects)) return null

  const { total, tax, currency } = bill
  const parts = netOfTax(total, { total, net: total - tax, tax })
  const subscriptions = of<Subscription>('subscription')
  const products = [...bills.map(({ description }) => description), ...subscriptions.map((one) => one.product)]
  const name = products.find((product) => product !== null) ?? null
  const item = [...bills, ...subscriptions].find((one) => one.item)?.item
  return {
    ...toPayer([...carriedIn(ordered), ...bills]),
    externalId: key,
    amount: parts.net,
    taxAmount: parts.tax,
    grossAmount: total,
    currency,
    at: new Date(bill.at),
    description: name,
    subscriptionId: ordered.find(({ group }) => group)?.group ?? null,
    lines: item ? linesOf(item, name, parts.net) : null,
    refunds: toRefunds(key, objects),
  }
}

/** A refund is the difference of its bill's refunded sums. */
export function toRefunds(key: string, objects: ProviderObject[]): ProviderPayment['refunds'] {
  const of = kindsAmong(objects)
  const [bill] = billsAmong(objects).filter(isPaid)
  if (!bill) return []
  return unnamedRefunds(of<Mark>('mark'), []).map(({ name, left: amount, at }) =>
    refundReport('refund', { id: `${key}:${name}`, amount, currency: bill.currency, reason: null, at }, 'succeeded'),
  )
}

function billsAmong(objects: ProviderObject[]) {
  const of = kindsAmong(objects)
  return [...of<LemonSqueezyBill>('orders'), ...of<LemonSqueezyBill>('subscription-invoices')]
}

const isPaid = ({ paid, total }: LemonSqueezyBill) => paid && total > 0

/** Returns the single line of a bill, which is for one item. */
const linesOf = ({ id, productId, variantId, quantity }: Item, name: string | null, amount: number) =>
  readLine({ id, productId, priceId: variantId, name, quantity, amount })
