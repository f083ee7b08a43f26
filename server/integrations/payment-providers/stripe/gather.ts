import { jsonIn, object, type ProviderJson, promotionCodes } from '../parse-values.ts'
import { payerOf } from '../payer.ts'
import type {
  Credentials,
  GatheredFacts,
  ProviderAccess,
  ProviderAdapter,
  ProviderObject,
  Sighting,
  StoredEvent,
} from '../provider.ts'
import {
  type EventFacts as AnyTold,
  type ProviderCalls as AskingOf,
  createAsking,
  gathered,
} from '../provider-calls.ts'
import { announcement, contextRead } from '../provider-objects.ts'
import { createStripeApi, rowsOf, type StripeApi } from './api.ts'
import {
  type Charge,
  type CheckoutSession,
  type Invoice,
  idOf,
  readCharge,
  readChargeMark,
  readCustomer,
  readDispute,
  readIntent,
  readInvoice,
  readLink,
  readRefund,
  readSession,
} from './objects.ts'

type Known = Parameters<ProviderAdapter['gather']>[3]
type Asking = AskingOf<StripeApi>
type Reading = { json: ProviderJson; at: Date; asking: Asking; known: Known }
type Told = AnyTold & { needed?: boolean }

/** Readers by event type. Types not listed move no money. */
const readers: Record<string, (reading: Reading) => Promise<Told>> = {
  'checkout.session.completed': sessionTold,
  'checkout.session.async_payment_succeeded': sessionTold,
  'charge.succeeded': chargeTold,
  'charge.captured': chargeTold,
  'invoice.paid': invoiceTold,
  'invoice_payment.paid': invoicePaymentTold,
  'charge.refunded': chargeRefunded,
  'refund.created': (reading) => givenBack(reading, readRefund(reading.json, reading.at)),
  'refund.updated': (reading) => givenBack(reading, readRefund(reading.json, reading.at)),
  'refund.failed': (reading) => givenBack(reading, readRefund(reading.json, reading.at)),
  'charge.refund.updated': (reading) => givenBack(reading, readRefund(reading.json, reading.at)),
  'charge.dispute.created': (reading) => givenBack(reading, readDispute(reading.json, reading.at)),
  'charge.dispute.updated': (reading) => givenBack(reading, readDispute(reading.json, reading.at)),
  'charge.dispute.closed': (reading) => givenBack(reading, readDispute(reading.json, reading.at)),
  'account.application.deauthorized': async () => ({ revoked: 'The connection was ended at Stripe.' }),
}
export const eventTypes = Object.keys(readers)

/**
 * Gathers an event's facts, completed by Stripe's answers: a charge itself has neither tax nor customer, a newer
 * invoice not its payment.
 */
export async function gather(
  event: StoredEvent,
  credentials: Credentials | null,
  reach: ProviderAccess,
  known: Known,
): Promise<GatheredFacts> {
  const asking = createAsking(credentials && createStripeApi(credentials, reach), reach)
  const json = object(jsonIn(event.body)?.data).object as ProviderJson | undefined
  const read = json ? await readers[event.type]?.({ json, at: event.at, asking, known }) : undefined
  const askingForCodes = createAsking(credentials && createStripeApi(credentials, reach), reach)
  const told = read && (await withTextsOfCodes(read, askingForCodes))
  const failure = asking.failure()
  const unread = askingForCodes.failure()
  return gathered(
    told,
    // without the right to read codes their ids are used; an unavailable answer is awaited, since a sale's partner is
    // final
    unread && unread.kind !== 'forbidden'
      ? { error: unread, needed: true }
      : failure && { error: failure, needed: told?.needed ?? false },
  )
}

/** Adds the texts of promotion codes, which buyers and owners know, to Stripe's ids. */
async function withTextsOfCodes(told: Told, asking: Asking): Promise<Told> {
  const { sightings = [], shared = [], newcomer } = told
  const payers: { promotionCodes?: string[] }[] = [...sightings, ...shared].flatMap(({ objects }) =>
    objects.map(({ data }) => data),
  )
  const named = [...payers, ...(newcomer ? [newcomer] : [])].flatMap(({ promotionCodes = [] }) => promotionCodes)
  const ids = [...new Set(named)].filter((code) => /^promo_\w+$/.test(code)).slice(0, MOST_CODES)
  if (ids.length === 0) return told
  const texts = new Map<string, string[]>()
  for (const id of ids) {
    const found = await asking.ask((api) => api.get(`promotion_codes/${id}`))
    texts.set(id, promotionCodes(id, found?.code))
  }
  const read = <P extends { promotionCodes?: string[] }>(payer: P): P =>
    payer.promotionCodes
      ? { ...payer, promotionCodes: payer.promotionCodes.flatMap((code) => texts.get(code) ?? code) }
      : payer
  const all = <O extends { objects: ProviderObject[] }>(one: O): O => ({
    ...one,
    objects: one.objects.map((object) => ({ ...object, data: read(object.data) })),
  })
  return { ...told, sightings: sightings.map(all), shared: shared.map(all), newcomer: newcomer && read(newcomer) }
}

/** Most discounts that Stripe allows on one payment. */
const MOST_CODES = 20

async function sessionTold({ json, at, asking, known }: Reading): Promise<Told> {
  const session = readSession(json, at, at)
  const { mode, paid, intent, subscription, total, ...payer } = session.data as CheckoutSession
  if (mode === 'subscription' && subscription)
    return { shared: [{ group: subscription, objects: [session] }], newcomer: payerOf([payer]) }
  if (mode !== 'payment' || total === 0) return { newcomer: payerOf([payer]) }
  const paidKey = intent ?? session.id
  const context = intent ? await contextOf(intent, { at, asking, known }) : []
  const objects = [...context, session, ...(paid ? [announcement(at)] : [])]
  return { sightings: [{ key: paidKey, aliases: [], objects }] }
}

async function chargeTold({ json, at, asking, known }: Reading): Promise<Told> {
  const charge = readCharge(json, at)
  const { taken } = charge.data as Charge
  const { key, aliases } = keyOfCharge(json)
  if (!taken) return { sightings: [{ key, aliases, objects: [charge] }] }
  const context = await contextOf(key, { at, asking, known, charge: json })
  const knownBefore = [...(await known.of(key)), ...context]
  const objects = [...context, charge, announcement(at)]
  // without session and invoice the tax would be missing
  return {
    sightings: [{ key, aliases, objects }],
    needed: !knownBefore.some(({ kind }) => kind === 'session' || kind === 'invoice'),
  }
}

function keyOfCharge(json: ProviderJson) {
  const id = idOf(json.id) ?? ''
  const intent = idOf(json.payment_intent)
  return intent ? { key: intent, aliases: [id] } : { key: id, aliases: [] }
}

type Surroundings = { at: Date; asking: Asking; known: Known; charge?: ProviderJson; invoice?: ProviderJson }

/** Returns a payment's related objects, requested once: its charge, session, invoice and customer. */
async function contextOf(key: string, around: Surroundings): Promise<ProviderObject[]> {
  const { at, asking, known } = around
  if ((await known.of(key)).some(({ kind }) => kind === 'context')) return []
  const failedBefore = asking.failure()
  const isIntent = key.startsWith('pi_')
  const type = isIntent ? 'payment_intent' : 'charge'
  const [intent, sessions, links] = await Promise.all([
    isIntent ? asking.ask((api) => api.get(`payment_intents/${key}`, { 'expand[0]': 'latest_charge' })) : null,
    isIntent ? asking.ask((api) => api.list('checkout/sessions', { payment_intent: key, limit: '1' })) : null,
    asking.ask((api) =>
      api.list('invoice_payments', { 'payment[type]': type, [`payment[${type}]`]: key, status: 'paid' }),
    ),
  ])
  const charge = around.charge ?? (await chargeOf(intent, asking))
  const named = idOf(charge?.invoice) ?? idOf(intent?.invoice)
  const paid = links?.[0]
    ? { invoice: idOf(links[0].invoice), amount: links[0].amount_paid }
    : { invoice: named, amount: charge?.amount }
  const own = around.invoice && idOf(around.invoice.id) === paid.invoice ? around.invoice : null
  const customerId = idOf(charge?.customer) ?? idOf(intent?.customer) ?? idOf(sessions?.[0]?.customer)
  const [invoice, customer] = await Promise.all([
    own ?? (paid.invoice ? asking.ask((api) => api.get(`invoices/${paid.invoice}`, EXPAND_DISCOUNTS)) : null),
    customerId ? asking.ask((api) => api.get(`customers/${customerId}`)) : null,
  ])
  return [
    ...(intent ? [readIntent(intent, at)] : []),
    ...(sessions ?? []).map((session) => readSession(session, at, null)),
    ...(charge && charge.status === 'succeeded' ? [readCharge(charge, at)] : []),
    ...(invoice && paid.invoice ? [readInvoice(invoice, at), readLink(paid.invoice, paid.amount, at)] : []),
    ...(customer && !customer.deleted ? [readCustomer(customer, at)] : []),
    ...(asking.failure() === failedBefore ? [contextRead(at)] : []),
  ]
}

async function chargeOf(intent: ProviderJson | null, asking: Asking): Promise<ProviderJson | null> {
  const latest = intent?.latest_charge
  if (typeof latest === 'object' && latest !== null) return latest as ProviderJson
  return typeof latest === 'string' ? asking.ask((api) => api.get(`charges/${latest}`)) : null
}

/** Requests an invoice with its discounts, which are otherwise only ids. */
async function withDiscounts(invoice: ProviderJson, asking: Asking): Promise<ProviderJson> {
  const { discounts } = invoice
  if (!Array.isArray(discounts) || !discounts.some((one) => typeof one === 'string')) return invoice
  const whole = await asking.ask((api) => api.get(`invoices/${idOf(invoice.id)}`, EXPAND_DISCOUNTS))
  return whole ? { ...invoice, discounts: whole.discounts } : invoice
}

const EXPAND_DISCOUNTS = { 'expand[0]': 'discounts' }

async function invoiceTold({ json: told, at, asking, known }: Reading): Promise<Told> {
  const json = await withDiscounts(told, asking)
  const invoice = readInvoice(json, at)
  const { paid, offStripe, ...facts } = invoice.data as Invoice
  if (paid === 0 && offStripe === 0) return { newcomer: payerOf([facts]) }
  const payments = await paymentsOf(json, invoice.id, { asking, offStripe, paid })
  if (!payments) return { needed: true }
  const sightings: Sighting[] = []
  for (const { key, amount } of payments) {
    const context = key === invoice.id ? [] : await contextOf(key, { at, asking, known, invoice: json })
    const objects = [...context, invoice, readLink(invoice.id, amount, at), announcement(at)]
    sightings.push({ key, aliases: payments.length === 1 && key !== invoice.id ? [invoice.id] : [], objects })
  }
  return { sightings }
}

type Paying = { asking: Asking; offStripe: number; paid: number }

/**
 * Returns an invoice's payments; null if Stripe must be asked and does not answer. An amount not paid through Stripe is
 * under the invoice's own id.
 */
async function paymentsOf(json: ProviderJson, id: string, { asking, offStripe, paid }: Paying) {
  if (json.paid_out_of_band === true) return [{ key: id, amount: paid || offStripe }]
  const direct = idOf(json.payment_intent) ?? idOf(json.charge)
  if (direct) return [{ key: direct, amount: paid }]
  const rows = await asking.ask((api) => api.list('invoice_payments', { invoice: id, status: 'paid' }))
  if (!rows) return asking.failure() ? null : [{ key: id, amount: paid || offStripe }]
  const payments = rows.flatMap((row) => keyOfLink(row) ?? [])
  if (payments.length === 0) return [{ key: id, amount: paid || offStripe }]
  return offStripe > 0 ? [...payments, { key: id, amount: offStripe }] : payments
}

function keyOfLink(row: ProviderJson) {
  const { payment_intent, charge } = (row.payment ?? {}) as ProviderJson
  const key = idOf(payment_intent) ?? idOf(charge)
  return key ? { key, amount: row.amount_paid } : null
}

async function invoicePaymentTold({ json, at, asking, known }: Reading): Promise<Told> {
  const link = keyOfLink(json)
  const id = idOf(json.invoice)
  if (!link || !id) return {}
  const invoice = await asking.ask((api) => api.get(`invoices/${id}`, EXPAND_DISCOUNTS))
  if (!invoice) return { needed: true }
  const context = await contextOf(link.key, { at, asking, known, invoice })
  const objects = [...context, readInvoice(invoice, at), readLink(id, link.amount, at), announcement(at)]
  return { sightings: [{ key: link.key, aliases: [], objects }] }
}

/**
 * Reads refunds of a charge: the event contains their sum, and older ones each of them; if these do not add up, Stripe
 * is asked.
 */
async function chargeRefunded({ json, at, asking }: Reading): Promise<Told> {
  const { key, aliases } = keyOfCharge(json)
  const inlined = rowsOf(json.refunds)
  const named = inlined.reduce((all, refund) => all + (typeof refund.amount === 'number' ? refund.amount : 0), 0)
  const complete = named >= Number(json.amount_refunded ?? 0)
  const listed = complete
    ? []
    : ((await asking.ask((api) => api.list('refunds', { charge: idOf(json.id) ?? '' }))) ?? [])
  const refunds = [...inlined, ...listed].map((refund) => readRefund(refund, at))
  return { sightings: [{ key, aliases, objects: [readCharge(json, at), ...readChargeMark(json, at), ...refunds] }] }
}

/** Reads a refund or dispute with its payment; old forms contain only the charge. */
async function givenBack({ json, asking, known }: Reading, object: ProviderObject): Promise<Told> {
  const intent = idOf(json.payment_intent)
  const charge = idOf(json.charge)
  if (intent || !charge) return intent ? { sightings: [{ key: intent, aliases: [], objects: [object] }] } : {}
  const kept = await known.keyOf('charge', charge)
  if (kept) return { sightings: [{ key: kept, aliases: [], objects: [object] }] }
  const asked = json.payment_intent === null ? null : await asking.ask((api) => api.get(`charges/${charge}`))
  const sighting = { key: idOf(asked?.payment_intent) ?? charge, aliases: [], objects: [object] }
  return { sightings: [sighting], needed: true }
}
