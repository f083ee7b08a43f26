import { unnamedRefunds } from '../cumulative-refunds.ts'
import { netOfTax } from '../net-of-tax.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import {
  isReported,
  kindsAmong,
  type PayerFacts,
  refundReport,
  type StoredRefund,
  toPayer,
} from '../provider-objects.ts'
import { fromStripe } from '../stripe-amounts.ts'
import type { Charge, ChargeMark, CheckoutSession, Intent, Invoice, InvoiceLink, Lines, Refund } from './objects.ts'

type Set = ReturnType<typeof sorted>

/** Sorts objects by kind, independent of the order of arrival. */
function sorted(objects: ProviderObject[]) {
  const of = kindsAmong(objects)
  const sessions = of<CheckoutSession>('session')
  return {
    checkout: sessions.find(({ mode, paid }) => mode === 'payment' && paid),
    sessions,
    charge: of<Charge>('charge').find(({ taken }) => taken),
    charges: of<Charge>('charge'),
    intent: of<Intent>('intent')[0],
    links: of<InvoiceLink>('link'),
    invoices: of<Invoice>('invoice'),
    lines: of<Lines>('lines'),
    customers: of<PayerFacts>('customer'),
    refunds: of<Refund>('refund'),
    creditNotes: of<Refund>('credit-note'),
    disputes: of<Refund>('dispute'),
    marks: of<ChargeMark>('mark'),
  }
}

/**
 * Returns the payment shown by these objects, or null while nothing is paid. The charge has the captured amount;
 * session, invoice or payment intent have its tax and shipping, pro rata if it is only a part of them.
 */
export function toPayment(key: string, objects: ProviderObject[]): ProviderPayment | null {
  if (!isReported(objects)) return null
  const set = sorted(objects)
  const { charge, checkout } = set
  const link = set.links[0]
  const invoice = link && set.invoices.find(({ id }) => id === link.invoice)
  const gross = charge?.amount ?? checkout?.total ?? link?.amount ?? 0
  const currency = (charge ?? checkout ?? invoice)?.currency
  if (gross <= 0 || !currency) return null

  const { net, tax } = netOfTax(gross, billOf(gross, set, invoice))
  return {
    ...toPayer(payerSources(set)),
    externalId: key,
    amount: fromStripe(net, currency),
    taxAmount: fromStripe(tax, currency),
    grossAmount: fromStripe(gross, currency),
    currency,
    at: new Date(charge?.at ?? invoice?.at ?? checkout?.at ?? 0),
    description: charge?.description ?? set.intent?.description ?? invoice?.description ?? null,
    subscriptionId: invoice?.subscription ?? null,
    card: charge?.card,
    lines: linesOf(set, invoice)?.map((line) => ({ ...line, amount: fromStripe(line.amount, currency) })) ?? null,
    refunds: toReports(set),
  }
}

export const toRefunds = (_: string, objects: ProviderObject[]) => toReports(sorted(objects))

function toReports(set: Set): ProviderPayment['refunds'] {
  const { refunds, marks } = withoutRelease(set)
  return [
    ...refunds.map((one) => refundReport('refund', ours(one), REFUND_STATUS[one.status] ?? 'pending')),
    ...unnamedRefunds(marks, refunds).map(({ charge, name, left, ...mark }) =>
      refundReport('refund', ours({ ...mark, id: `${charge}:${name}`, amount: left, reason: null }), 'succeeded'),
    ),
    // the owner may have entered it by hand, as Stripe moved no money
    ...set.creditNotes.map((one) => ({
      ...refundReport('refund', ours(one), REFUND_STATUS[one.status] ?? 'pending'),
      mayBeByHand: true,
    })),
    ...set.disputes
      .filter(({ status }) => !status.startsWith('warning_'))
      .map((one) => ({
        ...refundReport('dispute', ours(one), DISPUTE_STATUS[one.status] ?? 'pending'),
        // a lost one may be won on appeal
        overturned: one.status === 'won',
      })),
  ]
}

/**
 * Returns the refunds and refunded sums without what was authorised but not captured: Stripe releases that by a refund
 * that moves no money, and counts it into the refunded sum of the charge.
 */
function withoutRelease({ charge, refunds, marks }: Set): Pick<Set, 'refunds' | 'marks'> {
  const released = charge?.released ?? 0
  if (released === 0) return { refunds, marks }
  const [release] = refunds
    .filter(({ status, amount, movedMoney }) => status === 'succeeded' && amount === released && !movedMoney)
    .toSorted((a, b) => a.at - b.at)
  return {
    refunds: refunds.filter((one) => one !== release),
    marks: marks.map((mark) =>
      mark.charge === charge?.id && mark.amount >= released ? { ...mark, amount: mark.amount - released } : mark,
    ),
  }
}

/** Returns the lines of the bill that the amounts are from; null if they are unknown. */
function linesOf({ checkout, lines }: Set, invoice: (Invoice & { id: string }) | undefined) {
  const own = (id: string | undefined) => lines.find((one) => one.id === id && one.lines.length > 0)?.lines
  return own(checkout?.id) ?? own(invoice?.id)
}

const billOf = (gross: number, { checkout, intent }: Set, invoice: Invoice | undefined) =>
  checkout
    ? { total: checkout.total, net: checkout.total - checkout.tax - checkout.shipping, tax: checkout.tax }
    : (invoice ?? { total: gross, net: gross - (intent?.tax ?? 0) - (intent?.shipping ?? 0), tax: intent?.tax ?? 0 })

/** Sources of payer facts: the checkout's first, the customer's own record last. */
const payerSources = ({ sessions, intent, charges, invoices, customers }: Set) => [
  ...sessions,
  ...(intent ? [intent] : []),
  ...charges,
  ...invoices,
  ...customers,
]

const REFUND_STATUS: Record<string, 'succeeded' | 'failed' | 'canceled'> = {
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
}

const DISPUTE_STATUS: Record<string, 'succeeded' | 'failed'> = {
  lost: 'succeeded',
  won: 'failed',
  prevented: 'failed',
  // of older disputes: ended by a refund, which is reported itself
  charge_refunded: 'failed',
}

const ours = <R extends StoredRefund>(refund: R): R => ({
  ...refund,
  amount: fromStripe(refund.amount, refund.currency),
})
