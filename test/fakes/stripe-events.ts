import { createHmac, randomUUID } from 'node:crypto'
import type { Fields } from './server.ts'

/** Any object of Stripe's, in its newest shape. */
export type StripeObject = Fields & { id: string; object: string; created: number }

/** Everything in a Stripe account, by id, in the order of creation. `toApiVersion` gives the shape of an API version. */
export type StripeStore = Map<string, StripeObject>

/** An event as it is delivered; delivering the same one twice is Stripe's duplicate. */
export type StripeEvent = StripeObject & { type: string; api_version: string; data: { object: Fields } }

/** An API version in which invoices and charges have each other's ids. */
export const OLDER = '2020-08-27'
/** The API version from which invoices refer to their payments only through `invoice_payments`. */
export const BASIL = '2025-04-30.basil'

type Circumstances = {
  /** The store for the objects: a stand-in's `store`, so that its lists and reads include them. */
  store?: StripeStore
  /** Shape of the events; the store always has the newest. */
  apiVersion?: string
  /** `acct_` of a connected account, for events of a platform's endpoint. */
  account?: string
  livemode?: boolean
  createdAt?: Date
}

type Buyer = {
  email?: string | null
  name?: string | null
  customer?: string | null
  /** Two capitals. */
  country?: string | null
  /** The card's fingerprint. */
  card?: string
}

/** A line of a bill, in minor units. */
export type Item = {
  product?: string
  price?: string
  name?: string
  quantity?: number
  /** Before discount; with tax if `inclusive`. */
  amount: number
  discount?: number
  tax?: number
  inclusive?: boolean
}

type Money = {
  /** The buyer's total, tax included, in minor units. */
  amount: number
  /** The part of `amount` that is tax. */
  tax?: number
  /** Lower case, `usd` by default. */
  currency?: string
}

export type PaymentFacts = Circumstances &
  Buyer &
  Money & {
    /** One for everything if omitted. */
    items?: Item[]
    /** `client_reference_id` of the session. */
    reference?: string | null
    /** Metadata of the session only, as at Stripe. */
    metadata?: Record<string, string>
    /** Metadata of the payment intent and the charge. */
    intentMetadata?: Record<string, string>
    /** The id of a `stripePromotionCode`. */
    promotionCode?: string
    paymentLink?: string
    shipping?: number
    /** `false`: authorised only, until `capture()`. */
    captured?: boolean
  }

export type InvoiceFacts = Circumstances &
  Buyer &
  Money & {
    /** One for everything if omitted. */
    items?: Item[]
    /** `null`: a single invoice without a subscription. */
    subscription?: string | null
    subscriptionMetadata?: Record<string, string>
    metadata?: Record<string, string>
    billingReason?: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual'
    /** Amounts of several payments of one invoice (from basil on); with what is paid outside, they add up to `amount`. */
    payments?: number[]
    /** Paid outside of Stripe, all or this part of it: neither charge nor payment intent. */
    outOfBand?: boolean | number
    /** The id of a `stripePromotionCode`; it stays on the subscription. */
    promotionCode?: string
    /** The checkout session in mode `subscription` that started it. */
    checkout?: { reference?: string | null; metadata?: Record<string, string> }
    /** When the draft was created; Stripe's `created` of an invoice. */
    draftedAt?: Date
  }

/** A new id in Stripe's form: `ch_` and 24 letters and digits. */
export const stripeId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

/** Seconds since 1970, Stripe's format of times. */
export const toSeconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** An event around any object, with the envelope of Stripe's webhooks; stored for `GET /v1/events`. */
export function stripeEvent(
  type: string,
  object: Fields,
  { store, apiVersion = BASIL, account, livemode = false, createdAt = new Date() }: Circumstances = {},
  previous?: Fields,
): StripeEvent {
  const event: StripeEvent = {
    id: stripeId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: toSeconds(createdAt),
    livemode,
    pending_webhooks: 1,
    request: { id: stripeId('req'), idempotency_key: randomUUID() },
    type,
    ...(account ? { account } : {}),
    data: structuredClone({
      object: store ? toApiVersion(apiVersion, object as StripeObject, store) : object,
      ...(previous ? { previous_attributes: previous } : {}),
    }),
  }
  store?.set(event.id, event)
  return event
}

/** The owner has withdrawn the platform's access: the event has the account on top, its object is the application. */
export const stripeDeauthorized = (account: string, clientId = 'ca_StandIn') =>
  stripeEvent(
    'account.application.deauthorized',
    { id: clientId, object: 'application', name: 'Tributary' },
    { account },
  )

/** A promotion code, as buyers enter it: discounts have its id, its text is read separately. */
export const stripePromotionCode = (store: StripeStore, code: string) =>
  storeObject(store, {
    ...{ id: stripeId('promo'), object: 'promotion_code', created: toSeconds(new Date()), livemode: false },
    ...{ active: true, code, coupon: { id: stripeId('co').slice(3, 11), object: 'coupon', percent_off: 20 } },
    ...{ customer: null, expires_at: null, max_redemptions: null, metadata: {}, times_redeemed: 1 },
  })

/** One card payment through Checkout (mode `payment`): session, payment intent and charge with their events. */
export function stripePayment(facts: PaymentFacts) {
  const around = circumstances(facts)
  const { store } = around
  const { amount, tax = 0, shipping = 0, currency = 'usd', reference = null, metadata = {} } = facts
  const taken = createPayment(around, { ...facts, metadata: facts.intentMetadata })
  const session = storeObject(store, {
    ...sessionOf(around, facts),
    mode: 'payment',
    amount_subtotal: amount - tax - shipping,
    amount_total: amount,
    total_details: { amount_discount: 0, amount_shipping: shipping, amount_tax: tax },
    currency,
    client_reference_id: reference,
    metadata,
    payment_intent: taken.intent.id,
    payment_link: facts.paymentLink ?? null,
    payment_status: 'paid',
    discounts: facts.promotionCode ? [{ coupon: stripeId('co'), promotion_code: facts.promotionCode }] : [],
  })
  const items = facts.items ?? [{ amount: amount - tax - shipping, tax }]
  storeObject(store, {
    ...{ id: `${session.id}/line_items`, object: 'line_items', created: session.created },
    data: items.map((item) => sessionItemOf(item, currency)),
  })
  return {
    ...taken,
    session,
    checkoutCompleted: stripeEvent('checkout.session.completed', session, around),
    /** A bank debit: the session completes unpaid, and the second event reports the payment. */
    paidLater: () => ({
      checkoutCompleted: stripeEvent('checkout.session.completed', { ...session, payment_status: 'unpaid' }, around),
      paymentSucceeded: stripeEvent('checkout.session.async_payment_succeeded', session, around),
    }),
  }
}

/** A paid invoice with its payments and events, in the shape of `apiVersion`; `renew` bills the subscription again. */
export function stripeInvoice(facts: InvoiceFacts) {
  const around = circumstances(facts)
  const { store } = around
  const { amount, tax = 0, currency = 'usd', subscriptionMetadata = {}, metadata = {} } = facts
  const outOfBand = facts.outOfBand === true ? amount : facts.outOfBand || 0
  const customer = facts.customer ?? stripeId('cus')
  const subscription = facts.subscription === undefined ? stripeId('sub') : facts.subscription
  const paidAt = toSeconds(around.createdAt)
  const reason = facts.billingReason ?? (subscription ? 'subscription_create' : 'manual')
  const known = subscription ? store.get(subscription) : undefined
  if (subscription && !known)
    storeObject(store, subscriptionOf(around, { subscription, customer, subscriptionMetadata, currency }))

  const invoice = storeObject(store, {
    id: stripeId('in'),
    object: 'invoice',
    created: facts.draftedAt ? toSeconds(facts.draftedAt) : paidAt,
    account_country: 'US',
    amount_due: amount,
    amount_paid: amount,
    amount_remaining: 0,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    currency,
    customer,
    customer_address: facts.country ? { country: facts.country } : null,
    customer_email: facts.email ?? null,
    customer_name: facts.name ?? null,
    discounts: facts.promotionCode ? [discountOf(store, facts.promotionCode, paidAt).id] : [],
    lines: toStripeList(
      (facts.items ?? [{ amount: amount - tax, tax }]).map((item) =>
        lineOf(item, { currency, subscription, at: paidAt }),
      ),
      '/v1/invoices/lines',
    ),
    livemode: around.livemode,
    metadata,
    number: `TRB-${store.size + 1}`,
    parent: subscription
      ? {
          type: 'subscription_details',
          quote_details: null,
          subscription_details: { subscription, metadata: known?.metadata ?? subscriptionMetadata },
        }
      : null,
    period_start: paidAt,
    period_end: paidAt,
    status: 'paid',
    status_transitions: { finalized_at: paidAt, marked_uncollectible_at: null, paid_at: paidAt, voided_at: null },
    subtotal: amount - tax,
    subtotal_excluding_tax: amount - tax,
    total: amount,
    total_discount_amounts: [],
    total_excluding_tax: amount - tax,
    total_taxes: tax
      ? [{ amount: tax, tax_behavior: 'exclusive', taxable_amount: amount - tax, type: 'tax_rate_details' }]
      : [],
  })

  const parts = facts.payments ?? (outOfBand === amount && amount > 0 ? [] : [amount - outOfBand])
  if (parts.reduce((sum, part) => sum + part, outOfBand) !== amount) throw new Error('payments must add up to amount')
  const payments = parts.map((part, index) => {
    // linked before the payment's event, so that its older shape can include the invoice
    const link = { invoice: invoice.id, isDefault: index === 0 }
    return createPayment(around, { ...facts, tax: 0, amount: part, customer, metadata: {}, link })
  })
  if (outOfBand > 0) {
    const link = { invoice: invoice.id, isDefault: parts.length === 0 }
    const payment = { type: 'payment_record', payment_record: stripeId('pr') }
    storeObject(store, invoicePaymentOf(link, payment, outOfBand, currency, paidAt))
  }
  const session = facts.checkout
    ? storeObject(store, {
        ...sessionOf(around, { ...facts, customer }),
        mode: 'subscription',
        amount_subtotal: amount - tax,
        amount_total: amount,
        total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
        currency,
        client_reference_id: facts.checkout.reference ?? null,
        metadata: facts.checkout.metadata ?? {},
        payment_intent: null,
        payment_status: 'paid',
        invoice: invoice.id,
        subscription,
        discounts: facts.promotionCode ? [{ coupon: stripeId('co'), promotion_code: facts.promotionCode }] : [],
      })
    : null

  return {
    invoice,
    customer,
    subscription,
    payments,
    session,
    checkoutCompleted: session ? stripeEvent('checkout.session.completed', session, around) : null,
    invoicePaid: stripeEvent('invoice.paid', invoice, around),
    /** The second event of the same payment, which must not count again. */
    invoicePaymentSucceeded: stripeEvent('invoice.payment_succeeded', invoice, around),
    /** Refunds (part of) the first payment, as `stripePayment(..).refund`. */
    refund: (amount: number, how?: RefundHow) => first(payments).refund(amount, how),
    dispute: (amount?: number, how?: DisputeHow) => first(payments).dispute(amount, how),
    /** Gives back a part that Stripe did not move, by a credit note; `recorded`: linked to the record of its payment. */
    creditNote(part: number, { at = new Date(), recorded = false } = {}) {
      const record = { payment_record: stripeId('pr'), refund_group: stripeId('prg') }
      const refunds = [
        { amount_refunded: part, payment_record_refund: record, refund: null, type: 'payment_record_refund' },
      ]
      const note = storeObject(store, {
        ...{
          id: stripeId('cn'),
          object: 'credit_note',
          created: toSeconds(at),
          currency,
          invoice: invoice.id,
          customer,
        },
        ...{ type: 'post_payment', status: 'issued', amount: part, total: part, refunds: recorded ? refunds : [] },
        ...{ out_of_band_amount: recorded ? null : part, pre_payment_amount: 0, post_payment_amount: part },
      })
      const happen = (type: string, now: Fields) => stripeEvent(type, now, { ...around, createdAt: at })
      return {
        note,
        created: happen('credit_note.created', note),
        voided: () => happen('credit_note.voided', storeObject(store, { ...note, status: 'void' })),
      }
    },
    /** Bills the same customer and subscription again, as a renewal. */
    renew: (again: Partial<InvoiceFacts> = {}) =>
      stripeInvoice({
        ...facts,
        customer,
        subscription,
        checkout: undefined,
        billingReason: 'subscription_cycle',
        store,
        ...again,
      }),
    /** `customer.subscription.{created|updated|deleted|paused|resumed}` with this status. */
    subscriptionEvent: (type: string, status: string) => {
      const changed = storeObject(store, { ...store.get(subscription ?? '')!, status })
      return stripeEvent(`customer.subscription.${type}`, changed, { ...around, createdAt: new Date() })
    },
  }
}

type Refunding = { status: string; reason: string | null; createdAt: Date }
type RefundHow = { status?: 'pending' | 'requires_action' | 'succeeded'; reason?: string; createdAt?: Date }
/** `currency`: of the disputing bank, if it differs from the charge's. */
type DisputeHow = { status?: string; reason?: string; createdAt?: Date; currency?: string }
type Around = Required<Pick<Circumstances, 'store' | 'apiVersion' | 'livemode' | 'createdAt'>> & { account?: string }
type Taking = Buyer &
  Money & { captured?: boolean; metadata?: Record<string, string>; link?: { invoice: string; isDefault: boolean } }

/** Payment intent, charge and balance transaction of one payment, with events that may follow. */
function createPayment(
  around: Around,
  { amount, tax = 0, currency = 'usd', captured = true, metadata = {}, ...who }: Taking,
) {
  const { store, livemode } = around
  const created = toSeconds(around.createdAt)
  const customer = who.customer ?? null
  if (customer && !store.has(customer)) storeObject(store, customerOf(customer, who, created))
  const ids = { intent: stripeId('pi'), charge: stripeId('ch'), balance: stripeId('txn') }
  const invoicePayment = who.link
    ? storeObject(
        store,
        invoicePaymentOf(who.link, { type: 'payment_intent', payment_intent: ids.intent }, amount, currency, created),
      )
    : null

  const fee = Math.round(amount * 0.029) + 30
  storeObject(store, {
    ...{ id: ids.balance, object: 'balance_transaction', created, amount, currency, fee, net: amount - fee },
    ...{ exchange_rate: null, source: ids.charge, status: 'pending', type: 'charge', reporting_category: 'charge' },
  })
  const intent = storeObject(store, {
    ...{ id: ids.intent, object: 'payment_intent', created, amount, currency, customer, livemode, metadata },
    amount_details: tax ? { tip: {}, tax: { total_tax_amount: tax } } : { tip: {} },
    amount_received: captured ? amount : 0,
    amount_capturable: captured ? 0 : amount,
    capture_method: captured ? 'automatic' : 'manual',
    latest_charge: ids.charge,
    payment_method_types: ['card'],
    receipt_email: who.email ?? null,
    status: captured ? 'succeeded' : 'requires_capture',
  })
  const charge = storeObject(store, {
    ...{ id: ids.charge, object: 'charge', created, amount, currency, customer, livemode, metadata },
    amount_captured: captured ? amount : 0,
    amount_refunded: 0,
    balance_transaction: captured ? ids.balance : null,
    billing_details: {
      address: { country: who.country ?? null },
      email: who.email ?? null,
      name: who.name ?? null,
      phone: null,
      tax_id: null,
    },
    captured,
    description: null,
    disputed: false,
    failure_code: null,
    failure_message: null,
    paid: true,
    payment_intent: ids.intent,
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', country: 'US', last4: '4242', network: 'visa', fingerprint: who.card ?? null },
    },
    receipt_email: who.email ?? null,
    refunded: false,
    status: 'succeeded',
  })
  const happen = (type: string, object: Fields, at = new Date(), previous?: Fields) =>
    stripeEvent(type, object, { ...around, createdAt: at }, previous)

  const refundOf = (part: number, { status, reason, createdAt }: Required<Refunding>) => ({
    ...{ id: stripeId('re'), object: 'refund', created: toSeconds(createdAt), amount: part, currency, status, reason },
    ...{ charge: charge.id, payment_intent: intent.id, metadata: {}, failure_reason: null, balance_transaction: null },
  })

  return {
    intent,
    charge,
    chargeSucceeded: stripeEvent('charge.succeeded', charge, around),
    paymentIntentSucceeded: stripeEvent('payment_intent.succeeded', intent, around),
    invoicePaymentPaid: invoicePayment ? stripeEvent('invoice_payment.paid', invoicePayment, around) : null,

    /** Captures a part of an authorised payment; with the last, the rest is released by a refund that moves no money. */
    capture(part = amount, { isLast = true, at = new Date() } = {}) {
      storeObject(store, { ...intent, amount_received: part, amount_capturable: 0, status: 'succeeded' })
      storeObject(store, { ...charge, captured: true, amount_captured: part, balance_transaction: ids.balance })
      const release =
        isLast && part < amount
          ? storeObject(store, refundOf(amount - part, { status: 'succeeded', reason: null, createdAt: at }))
          : null
      const now = countRefunds(store, charge.id)
      return {
        chargeCaptured: happen('charge.captured', now, at),
        chargeRefunded: release && happen('charge.refunded', now, at, { amount_refunded: 0 }),
        refundCreated: release && happen('refund.created', release, at),
      }
    },

    /** Refunds `part` (minor units). `becomes` moves a pending refund to its end, or makes it fail later. */
    refund(
      part: number,
      { status = 'succeeded', reason = 'requested_by_customer', createdAt = new Date() }: RefundHow = {},
    ) {
      if (refundedOf(store, charge.id) + part > amount) throw new Error('more than the charge has left')
      const before = refundedOf(store, charge.id)
      const refund = storeObject(store, {
        ...refundOf(part, { status, reason, createdAt }),
        balance_transaction: stripeId('txn'),
      })
      return {
        refund,
        /** The charge, with all refunds so far; sent for partial refunds too. */
        chargeRefunded: happen('charge.refunded', countRefunds(store, charge.id), createdAt, {
          amount_refunded: before,
        }),
        refundCreated: happen('refund.created', refund, createdAt),
        refundUpdated: happen('refund.updated', refund, createdAt, { metadata: {} }),
        becomes(next: 'succeeded' | 'failed' | 'canceled', at = new Date()) {
          const failure = next === 'failed' ? 'expired_or_canceled_card' : null
          const changed = storeObject(store, { ...refund, status: next, failure_reason: failure })
          countRefunds(store, charge.id)
          return {
            refundUpdated: happen('refund.updated', changed, at, { status }),
            refundFailed: next === 'failed' ? happen('refund.failed', changed, at, { status }) : null,
            /** The event of older API versions in place of `refund.updated`. */
            chargeRefundUpdated: happen('charge.refund.updated', changed, at, { status }),
          }
        },
      }
    },

    /** The buyer disputes `part`, by default all; a `warning_` state is an inquiry that moves no money. */
    dispute(
      part = amount,
      {
        status = 'needs_response',
        reason = 'fraudulent',
        createdAt = new Date(),
        currency: contested = currency,
      }: DisputeHow = {},
    ) {
      const dispute = storeObject(store, {
        ...{
          id: stripeId('dp'),
          object: 'dispute',
          created: toSeconds(createdAt),
          amount: part,
          currency: contested,
          status,
          reason,
        },
        ...{
          charge: charge.id,
          payment_intent: intent.id,
          livemode,
          metadata: {},
          balance_transactions: [] as Fields[],
        },
        evidence_details: {
          due_by: toSeconds(createdAt) + 7 * 86_400,
          has_evidence: false,
          past_due: false,
          submission_count: 0,
        },
        is_charge_refundable: status.startsWith('warning_'),
      })
      storeObject(store, { ...store.get(charge.id)!, disputed: true })
      const move = (type: string, sign: number) => {
        const current = store.get(dispute.id)!
        const row = {
          id: stripeId('txn'),
          object: 'balance_transaction',
          amount: sign * part,
          currency: contested,
          type: 'adjustment',
        }
        const rows = [...(current.balance_transactions as Fields[]), row]
        return happen(type, storeObject(store, { ...current, balance_transactions: rows }))
      }
      return {
        dispute,
        created: happen('charge.dispute.created', dispute, createdAt),
        fundsWithdrawn: () => move('charge.dispute.funds_withdrawn', -1),
        fundsReinstated: () => move('charge.dispute.funds_reinstated', 1),
        /** `won`, `lost`, `warning_closed`, or an unknown word. */
        closed: (outcome: string, at = new Date()) =>
          happen('charge.dispute.closed', storeObject(store, { ...store.get(dispute.id)!, status: outcome }), at, {
            status,
          }),
      }
    },
  }
}

/** The object in the shape of an API version, an invoice with its first lines: before basil, invoices, charges and intents reference each other. */
export function toApiVersion(apiVersion: string, given: StripeObject, store: StripeStore, mostLines = 10): Fields {
  const object = given.object === 'invoice' ? { ...given, lines: inlined(given, mostLines) } : given
  const day = apiVersion.slice(0, 10)
  if (day >= '2025-03-31') return object
  const inline = day < '2022-11-15'
  const all = (kind: string) => [...store.values()].filter((other) => other.object === kind)
  const links = all('invoice_payment') as (StripeObject & { payment: Fields })[]
  const invoiceOf = (intent: unknown) => links.find((link) => link.payment.payment_intent === intent)?.invoice ?? null

  if (object.object === 'invoice') {
    const link = links.find((other) => other.invoice === object.id && other.is_default)
    const intent = link ? store.get(String(link.payment.payment_intent)) : undefined
    return {
      ...olderInvoice(object, intent?.id ?? null, intent?.latest_charge ?? null),
      paid_out_of_band: link?.payment.type === 'payment_record',
    }
  }
  if (object.object === 'charge') {
    const refunds = all('refund').filter((refund) => refund.charge === object.id)
    const list = inline ? { refunds: toStripeList(refunds.reverse(), `/v1/charges/${object.id}/refunds`) } : {}
    return { ...object, invoice: invoiceOf(object.payment_intent), ...list }
  }
  if (object.object === 'payment_intent') {
    const charges = all('charge').filter((charge) => charge.payment_intent === object.id)
    const list = inline
      ? {
          charges: toStripeList(
            charges.map((charge) => toApiVersion(apiVersion, charge, store)),
            '/v1/charges',
          ),
        }
      : {}
    return { ...object, invoice: invoiceOf(object.id), ...list }
  }
  if (object.object === 'subscription') {
    const item = first((object.items as { data: Fields[] }).data)
    return { ...object, current_period_start: item.current_period_start, current_period_end: item.current_period_end }
  }
  return object
}

type Delivery = {
  headers?: Record<string, string>
  /** The signature's time, in seconds since 1970. */
  at?: number
  /** Other bytes than the event's JSON. */
  body?: string
  /** All secrets to sign with while one is being replaced; by default only `secret`. */
  secrets?: string[]
  /** The whole header in place of a computed one; `null` sends none. */
  signature?: string | null
}

/** Posts an event as Stripe does, signed over the raw bytes; a wrong `secret` is a forged one. */
export async function deliverStripeEvent(url: string, event: Fields, secret: string, how: Delivery = {}) {
  const { at = toSeconds(new Date()), body = JSON.stringify(event, null, 2), secrets = [secret] } = how
  const mac = (key: string) => createHmac('sha256', key).update(`${at}.${body}`).digest('hex')
  const computed = [`t=${at}`, ...secrets.map((key) => `v1=${mac(key)}`), `v0=${mac('another scheme')}`].join(',')
  const signature = how.signature === undefined ? computed : how.signature
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === null ? {} : { 'stripe-signature': signature }),
      ...how.headers,
    },
    body,
    redirect: 'manual',
  })
  return { status: response.status, body: await response.text(), signature }
}

/** The first lines of an invoice, as in the invoice itself. */
function inlined({ id, lines }: StripeObject, most: number) {
  const { data } = lines as { data: Fields[] }
  return {
    ...toStripeList(data.slice(0, most), `/v1/invoices/${id}/lines`, data.length > most),
    total_count: data.length,
  }
}

/** Stripe's list form. */
export const toStripeList = (data: Fields[], url: string, hasMore = false) => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
})

function storeObject<T extends StripeObject>(store: StripeStore, object: T): T {
  store.set(object.id, object)
  return object
}

function first<T>(values: T[]): T {
  const [value] = values
  if (value === undefined) throw new Error('there is none')
  return value
}

function circumstances({ store, apiVersion, account, livemode, createdAt }: Circumstances): Around {
  return {
    store: store ?? new Map(),
    apiVersion: apiVersion ?? BASIL,
    livemode: livemode ?? false,
    createdAt: createdAt ?? new Date(),
    ...(account ? { account } : {}),
  }
}

function refundedOf(store: StripeStore, charge: string) {
  const refunds = [...store.values()].filter((object) => object.object === 'refund' && object.charge === charge)
  const standing = refunds.filter(({ status }) => status === 'pending' || status === 'succeeded')
  return standing.reduce((sum, refund) => sum + Number(refund.amount), 0)
}

function countRefunds(store: StripeStore, id: string) {
  const charge = store.get(id)!
  const refunded = refundedOf(store, id)
  return storeObject(store, { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount })
}

const discountOf = (store: StripeStore, promotionCode: string, start: number) =>
  storeObject(store, {
    ...{ id: stripeId('di'), object: 'discount', created: start, start, end: null, livemode: false },
    ...{ promotion_code: promotionCode, source: { type: 'coupon', coupon: stripeId('co') } },
  })

const customerOf = (id: string, who: Buyer, created: number) => ({
  ...{
    id,
    object: 'customer',
    created,
    email: who.email ?? null,
    name: who.name ?? null,
    livemode: false,
    metadata: {},
  },
})

const invoicePaymentOf = (
  { invoice, isDefault }: { invoice: string; isDefault: boolean },
  payment: Fields,
  amount: number,
  currency: string,
  created: number,
) => ({
  ...{ id: stripeId('inpay'), object: 'invoice_payment', created, invoice, is_default: isDefault, livemode: false },
  ...{ amount_paid: amount, amount_requested: amount, currency, status: 'paid' },
  payment,
  status_transitions: { canceled_at: null, paid_at: created },
})

const sessionOf = (
  { createdAt, livemode }: Around,
  { email = null, name = null, customer = null, country = null }: Buyer,
) => ({
  id: stripeId('cs_test'),
  object: 'checkout.session',
  created: toSeconds(createdAt),
  livemode,
  customer,
  customer_details: { email, name, phone: null, tax_exempt: 'none', tax_ids: [], address: country && { country } },
  customer_email: null,
  payment_method_types: ['card'],
  status: 'complete',
  setup_intent: null,
  subscription: null as string | null,
  invoice: null as string | null,
})

const subscriptionOf = (
  { createdAt, livemode }: Around,
  facts: { subscription: string; customer: string; subscriptionMetadata: Record<string, string>; currency: string },
) => ({
  ...{ id: facts.subscription, object: 'subscription', created: toSeconds(createdAt), livemode, status: 'active' },
  ...{
    customer: facts.customer,
    currency: facts.currency,
    metadata: facts.subscriptionMetadata,
    cancel_at_period_end: false,
  },
  items: toStripeList(
    [
      {
        ...{ id: stripeId('si'), object: 'subscription_item', subscription: facts.subscription, quantity: 1 },
        current_period_start: toSeconds(createdAt),
        current_period_end: toSeconds(createdAt) + 30 * 86_400,
      },
    ],
    '/v1/subscription_items',
  ),
})

const sessionItemOf = (
  { product, price, name = 'Standard plan', quantity = 1, amount, discount = 0, tax = 0, inclusive }: Item,
  currency: string,
) => ({
  ...{ id: stripeId('li'), object: 'item', currency, description: name, quantity },
  ...{ amount_discount: discount, amount_subtotal: amount, amount_tax: tax },
  amount_total: amount - discount + (inclusive ? 0 : tax),
  price: { id: price ?? stripeId('price'), object: 'price', product: product ?? stripeId('prod') },
})

type Line = { currency: string; subscription: string | null; at: number }

function lineOf(
  { product, price, name = 'Standard plan', quantity = 1, amount, discount = 0, tax = 0, inclusive = false }: Item,
  { currency, subscription, at }: Line,
) {
  const item = stripeId(subscription ? 'si' : 'ii')
  return {
    ...{
      id: stripeId('il'),
      object: 'line_item',
      amount,
      currency,
      description: name,
      quantity,
      livemode: false,
    },
    discount_amounts: discount ? [{ amount: discount, discount: stripeId('di') }] : [],
    ...{ discounts: [], metadata: {}, period: { start: at, end: at + 30 * 86_400 } },
    parent: subscription
      ? {
          type: 'subscription_item_details',
          subscription_item_details: { subscription, subscription_item: item },
          invoice_item_details: null,
        }
      : {
          type: 'invoice_item_details',
          subscription_item_details: null,
          invoice_item_details: { invoice_item: item, subscription: null },
        },
    pricing: {
      type: 'price_details',
      price_details: { price: price ?? stripeId('price'), product: product ?? stripeId('prod') },
      unit_amount_decimal: String(amount),
    },
    taxes: tax
      ? [
          {
            amount: tax,
            tax_behavior: inclusive ? 'inclusive' : 'exclusive',
            taxable_amount: amount,
            type: 'tax_rate_details',
          },
        ]
      : [],
  }
}

/** An invoice in the shape before basil, made from the newest one. */
function olderInvoice(invoice: StripeObject, intent: string | null, charge: unknown): Fields {
  const { parent, total_taxes, lines, ...same } = invoice
  const details = (parent as { subscription_details: Fields } | null)?.subscription_details
  const taxes = total_taxes as { amount: number }[]
  const { data: rows, ...list } = lines as { data: ReturnType<typeof lineOf>[] }
  const amounts = (taxed: { amount: number; tax_behavior?: string }[]) =>
    taxed.map(({ amount, tax_behavior }) => ({
      amount,
      inclusive: tax_behavior === 'inclusive',
      tax_rate: 'txr_StandIn',
    }))
  return {
    ...same,
    charge,
    payment_intent: intent,
    paid: invoice.status === 'paid',
    subscription: details?.subscription ?? null,
    subscription_details: details ? { metadata: details.metadata } : null,
    tax: taxes.length ? taxes.reduce((sum, { amount }) => sum + amount, 0) : null,
    total_tax_amounts: amounts(taxes),
    lines: {
      ...list,
      data: rows.map(({ parent: from, pricing, taxes: lineTaxes, ...line }) => ({
        ...line,
        subscription: from.subscription_item_details?.subscription ?? null,
        price: {
          id: pricing.price_details.price,
          object: 'price',
          product: pricing.price_details.product,
          unit_amount: line.amount,
        },
        tax_amounts: amounts(lineTaxes),
        type: from.subscription_item_details ? 'subscription' : 'invoiceitem',
      })),
    },
  }
}
