import { createHmac } from 'node:crypto'
import { bookFacts } from '../server/integrations/payment-providers/book-payment.ts'
import { paymentReported, relatedRead } from '../server/integrations/payment-providers/provider-objects.ts'
import { findAdapter } from '../server/integrations/payment-providers/registry.ts'
import {
  readCharge,
  readDispute,
  readInvoice,
  readInvoiceLines,
  readLink,
  readRefund,
} from '../server/integrations/payment-providers/stripe/objects.ts'
import type { Transaction } from '../server/platform/database/pool.ts'
import type { FrontDoor } from './demo-server.ts'
import { STRIPE_SIGNING_SECRET } from './providers.ts'
import type { Harbor, Story } from './story.ts'

/** A payment as the customer makes it; amounts in cents, `tax` on top. */
export type Payment = {
  amount: number
  tax: number
  currency: string
  description: string
  email: string
  name: string
  customer: string | null
  subscription: string | null
  /** The price it is for, if it has an invoice. */
  price?: string
  /** The promotion code that the customer entered. */
  code?: string | null
  /** The card's fingerprint. */
  card?: string
}

export type StripePayments = ReturnType<typeof stripePayments>

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** Payments at Stripe, passed to the room of payment providers as its adapter reads them. */
export function stripePayments(
  story: Story,
  harbor: Harbor,
  { webhookUrl, ...connection }: Connection,
  door: FrontDoor,
) {
  const booking = {
    ...connection,
    account: harbor.account,
    adapter: findAdapter('stripe')!,
    secrets: story.services.secrets,
  }
  let last = 0
  const idOf = (kind: string) => `${kind}_3Hb${(++last).toString(36).padStart(12, '0')}`

  const tell = (tx: Transaction, key: string, objects: Parameters<typeof bookFacts>[2]['objects']) =>
    bookFacts(tx, booking, { key, objects })

  function chargeOf(payment: Payment, intent: string, at: Date) {
    return {
      id: intent.replace('pi_', 'ch_'),
      object: 'charge',
      payment_intent: intent,
      status: 'succeeded',
      captured: true,
      amount: payment.amount + payment.tax,
      amount_captured: payment.amount + payment.tax,
      amount_refunded: 0,
      currency: payment.currency,
      created: seconds(at),
      customer: payment.customer,
      description: payment.description,
      billing_details: { email: payment.email, name: payment.name },
      ...(payment.card && { payment_method_details: { type: 'card', card: { fingerprint: payment.card } } }),
      metadata: {},
    }
  }

  function invoiceOf(payment: Payment, at: Date) {
    const { amount, tax, currency, customer, email, name, subscription } = payment
    return {
      id: idOf('in'),
      object: 'invoice',
      total: amount + tax,
      total_excluding_tax: amount,
      amount_paid: amount + tax,
      currency,
      customer,
      customer_email: email,
      customer_name: name,
      parent: { subscription_details: { subscription } },
      total_taxes: tax ? [{ amount: tax }] : [],
      status_transitions: { paid_at: seconds(at) },
      lines: { data: [lineOf(payment)] },
      discounts: payment.code ? [{ promotion_code: { code: payment.code } }] : [],
    }
  }

  const lineOf = ({ amount, description, price }: Payment) => ({
    id: 'il_1',
    amount,
    description,
    quantity: 1,
    pricing: { price_details: { price } },
  })

  return {
    /** Returns the payment's id at Stripe. */
    async pay(tx: Transaction, payment: Payment): Promise<string> {
      const intent = idOf('pi')
      const at = tx.now
      const objects = [relatedRead(at), readCharge(chargeOf(payment, intent, at), at), paymentReported(at)]
      if (payment.price) {
        const invoice = invoiceOf(payment, at)
        const { id, amount_paid: paid, lines } = invoice
        objects.push(readInvoice(invoice, at), readLink(id, paid, at), readInvoiceLines(id, lines.data, at))
      }
      await tell(tx, intent, objects)
      return intent
    },

    /** Like `pay`, but by a signed event through the front door, as Stripe sends it. */
    async payByEvent(payment: Payment): Promise<string> {
      const intent = idOf('pi')
      const at = story.clock.now()
      const invoice = payment.price ? invoiceOf(payment, at) : null
      if (invoice) story.standIns.stripe.addInvoice(invoice)
      const event = {
        id: idOf('evt'),
        object: 'event',
        type: 'charge.succeeded',
        created: seconds(at),
        livemode: true,
        data: { object: { ...chargeOf(payment, intent, at), invoice: invoice?.id } },
      }
      const payload = JSON.stringify(event)
      const signature = createHmac('sha256', STRIPE_SIGNING_SECRET)
        .update(`${seconds(at)}.${payload}`)
        .digest('hex')
      await door.deliver(webhookUrl, payload, { 'stripe-signature': `t=${seconds(at)},v1=${signature}` })
      return intent
    },

    /** A refund in its present status; sent again with another status it changes. Gross cents. */
    refund: (
      tx: Transaction,
      intent: string,
      { id = idOf('re'), ...refund }: { id?: string; amount: number; currency: string; status: 'succeeded' | 'failed' },
    ) =>
      tell(tx, intent, [
        readRefund({ id, ...refund, reason: 'requested_by_customer', created: seconds(tx.now) }, tx.now),
      ]).then(() => id),

    dispute: (
      tx: Transaction,
      intent: string,
      {
        id = idOf('du'),
        ...dispute
      }: { id?: string; amount: number; currency: string; status: string; reason: string },
    ) => tell(tx, intent, [readDispute({ id, ...dispute, created: seconds(tx.now) }, tx.now)]).then(() => id),

    customer: () => idOf('cus'),
    subscription: () => idOf('sub'),
  }
}

type Connection = { connectionId: string; shopId: string; webhookUrl: string }
