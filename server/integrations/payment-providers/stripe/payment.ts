import { minorDigits, proportion } from '#contract/money.ts'
import { unnamedRefunds } from '../cumulative-refunds.ts'
import { netOfTax } from '../net-of-tax.ts'
import { payerOf } from '../payer.ts'
import type { ProviderObject, ProviderPayment } from '../provider.ts'
import { kindsAmong } from '../provider-objects.ts'
import type {
  Charge,
  ChargeMark,
  CheckoutSession,
  Customer,
  Dispute,
  Intent,
  Invoice,
  InvoiceLink,
  Refund,
} from './objects.ts'

type Set = ReturnType<typeof sorted>

/** Sorts objects by kind, independent of the order of arrival. */
function sorted(objects: ProviderObject[]) {
  const of = kindsAmong(objects)
  const sessions = of<CheckoutSession>('session')
  return {
    announced: of('announcement').length > 0,
    checkout: sessions.find(({ mode, paid }) => mode === 'payment' && paid),
    sessions,
    charge: of<Charge>('charge').find(({ taken }) => taken),
    charges: of<Charge>('charge'),
    intent: of<Intent>('intent')[0],
    links: of<InvoiceLink>('link'),
    invoices: of<Invoice>('invoice'),
    customers: of<Customer>('customer'),
    refunds: of<Refund>('refund'),
    disputes: of<Dispute>('dispute'),
    marks: of<ChargeMark>('mark'),
  }
}

/**
 * Returns the payment shown by these objects, or null while nothing is paid. The charge has the captured amount;
 * session, invoice or payment intent have its tax and shipping, pro rata if it is only a part of them.
 */
export function paymentOf(key: string, objects: ProviderObject[]): ProviderPayment | null {
  const set = sorted(objects)
  if (!set.announced) return null
  const { charge, checkout } = set
  const link = set.links[0]
  const invoice = link && set.invoices.find(({ id }) => id === link.invoice)
  const gross = charge?.amount ?? checkout?.total ?? link?.amount ?? 0
  const currency = (charge ?? checkout ?? invoice)?.currency
  if (gross <= 0 || !currency) return null

  const { net, tax } = netOfTax(gross, billOf(gross, set, invoice))
  return {
    ...payerOf(tellers(set)),
    externalId: key,
    amount: fromStripe(net, currency),
    taxAmount: fromStripe(tax, currency),
    grossAmount: fromStripe(gross, currency),
    currency,
    at: new Date(charge?.at ?? invoice?.at ?? checkout?.at ?? 0),
    description: charge?.description ?? set.intent?.description ?? invoice?.description ?? null,
    subscriptionId: invoice?.subscription ?? null,
    refunds: [
      ...set.refunds.map(refundReport),
      ...unnamedRefunds(set.marks, set.refunds).map(markReport),
      ...set.disputes.flatMap(disputeReport),
    ],
  }
}

const billOf = (gross: number, { checkout, intent }: Set, invoice: Invoice | undefined) =>
  checkout
    ? { total: checkout.total, net: checkout.total - checkout.tax - checkout.shipping, tax: checkout.tax }
    : (invoice ?? { total: gross, net: gross - (intent?.tax ?? 0) - (intent?.shipping ?? 0), tax: intent?.tax ?? 0 })

/** Sources of payer facts: the checkout's first, the customer's own record last. */
const tellers = ({ sessions, intent, charges, invoices, customers }: Set) => [
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

const refundReport = ({ id, amount, currency, status, reason, at }: Refund & { id: string }) => ({
  kind: 'refund' as const,
  externalId: id,
  amount: fromStripe(amount, currency),
  currency,
  status: REFUND_STATUS[status] ?? ('pending' as const),
  reason,
  at: new Date(at),
})

const markReport = ({ charge, name, left, currency, at }: ChargeMark & { name: string; left: number }) => ({
  kind: 'refund' as const,
  externalId: `${charge}:${name}`,
  amount: fromStripe(left, currency),
  currency,
  status: 'succeeded' as const,
  reason: null,
  at: new Date(at),
})

const DISPUTE_STATUS: Record<string, 'succeeded' | 'failed'> = { lost: 'succeeded', won: 'failed', prevented: 'failed' }

function disputeReport({ id, amount, currency, status, reason, at }: Dispute & { id: string }) {
  if (status.startsWith('warning_')) return []
  return [
    {
      kind: 'dispute' as const,
      externalId: id,
      amount: fromStripe(amount, currency),
      currency,
      status: DISPUTE_STATUS[status] ?? ('pending' as const),
      reason,
      at: new Date(at),
    },
  ]
}

const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THOUSANDTHS = new Set('bhd jod kwd omr tnd'.split(' '))

/** Converts Stripe's amount (isk and ugx in hundredths although they have none) to our minor units, half up. */
function fromStripe(amount: number, currency: string): number {
  const digits = WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2
  const shift = minorDigits(currency) - digits
  return shift >= 0 ? amount * 10 ** shift : proportion(amount, 1, 10 ** -shift)
}
