import { type ProviderJson, parseInteger, parseObject, parsePromotionCodes } from '../parse-values.ts'
import { type PaymentFacts, PaymentProviderError, type ProviderObject } from '../provider.ts'
import {
  isRelatedRead,
  isReported,
  type PayerFacts,
  paymentReported,
  relatedRead,
  toPayer,
} from '../provider-objects.ts'
import {
  createFactsReader,
  type EventFacts,
  type EventReading,
  type ProviderCalls,
  type Readers,
  toFacts,
} from '../resolve-event.ts'
import { createStripeApi, parseRows, type StripeApi } from './api.ts'
import {
  type Charge,
  type CheckoutSession,
  type Invoice,
  parseId,
  readCharge,
  readChargeMark,
  readCreditNote,
  readCustomer,
  readDispute,
  readIntent,
  readInvoice,
  readInvoiceLines,
  readLink,
  readName,
  readRefund,
  readSession,
  readSessionLines,
} from './objects.ts'

type Calls = ProviderCalls<StripeApi>
type StripeReading = EventReading<StripeApi>

const refundRead = async (reading: StripeReading) => {
  const facts = await readReturn(reading, readRefund(reading.json, reading.at))
  return withChargeOfRelease(reading, facts)
}
const disputeRead = (reading: StripeReading) => readReturn(reading, readDispute(reading.json, reading.at))

const readers: Readers<StripeApi> = {
  'checkout.session.completed': sessionRead,
  'checkout.session.async_payment_succeeded': sessionRead,
  'charge.succeeded': chargeRead,
  'charge.captured': chargeRead,
  'invoice.paid': invoiceRead,
  'invoice_payment.paid': invoicePaymentRead,
  'charge.refunded': chargeRefunded,
  'refund.created': refundRead,
  'refund.updated': refundRead,
  'refund.failed': refundRead,
  'charge.refund.updated': refundRead,
  'credit_note.created': creditNoteRead,
  'credit_note.updated': creditNoteRead,
  'credit_note.voided': creditNoteRead,
  'charge.dispute.created': disputeRead,
  'charge.dispute.updated': disputeRead,
  'charge.dispute.closed': disputeRead,
  'account.application.deauthorized': () => ({ revoked: 'The connection was ended at Stripe.' }),
}
export const eventTypes = Object.keys(readers)

/** A charge itself has neither tax nor customer, a newer invoice not its payment: they are read from Stripe. */
export const readFacts = createFactsReader({
  readers,
  createApi: createStripeApi,
  objectIn: ({ data }) => (parseObject(data).object as ProviderJson | undefined) ?? null,
  needed: false,
  complete: withTextsOfCodes,
})

/** Adds the texts of promotion codes, which buyers and owners know, to Stripe's ids. */
async function withTextsOfCodes(facts: EventFacts, codeCalls: Calls): Promise<EventFacts> {
  const { payments = [], shared = [], prospect } = facts
  const payers: { promotionCodes?: string[] }[] = [...payments, ...shared].flatMap(({ objects }) =>
    objects.map(({ data }) => data),
  )
  const named = [...payers, ...(prospect ? [prospect] : [])].flatMap(({ promotionCodes = [] }) => promotionCodes)
  const ids = [...new Set(named)].filter((code) => /^promo_\w+$/.test(code)).slice(0, MOST_CODES)
  if (ids.length === 0) return facts
  const texts = new Map<string, string[]>()
  for (const id of ids) {
    const found = await codeCalls.ask((api) => api.get(`promotion_codes/${id}`))
    texts.set(id, parsePromotionCodes(id, found?.code))
  }
  const read = <P extends { promotionCodes?: string[] }>(payer: P): P =>
    payer.promotionCodes
      ? { ...payer, promotionCodes: payer.promotionCodes.flatMap((code) => texts.get(code) ?? code) }
      : payer
  const all = <O extends { objects: ProviderObject[] }>(one: O): O => ({
    ...one,
    objects: one.objects.map((object) => ({ ...object, data: read(object.data) })),
  })
  return { ...facts, payments: payments.map(all), shared: shared.map(all), prospect: prospect && read(prospect) }
}

/** Most discounts that Stripe allows on one payment. */
const MOST_CODES = 20

async function sessionRead({ json, at, calls, lineCalls, stored }: StripeReading): Promise<EventFacts> {
  const session = readSession(json, at, at)
  const { mode, paid, intent, subscription, total, ...payer } = session.data as CheckoutSession
  if (mode === 'subscription' && subscription)
    return { shared: [{ group: subscription, objects: [session] }], prospect: toPayer([payer]) }
  if (mode !== 'payment' || total === 0) return { prospect: toPayer([payer]) }
  const paidKey = intent ?? session.id
  const related = intent ? await relatedTo(intent, { at, calls, lineCalls, stored }) : []
  const lines = isNamed(related, session) ? [] : await linesOfSession(json, paidKey, { at, lineCalls, stored })
  const objects = [...related, session, ...lines, ...(paid ? [paymentReported(at)] : [])]
  return toFacts(paidKey, ...objects)
}

const isNamed = (objects: ProviderObject[], { id }: { id: unknown }) =>
  objects.some((object) => object.kind === 'lines' && object.id === id)

type LineReading = Pick<StripeReading, 'at' | 'lineCalls' | 'stored'>

/** Returns the line items of a session that is a payment itself, unless they are known. */
async function linesOfSession(json: ProviderJson, key: string, { at, lineCalls, stored }: LineReading) {
  const id = parseId(json.id)
  if (json.mode !== 'payment' || isNamed(await stored.listByPayment(key), { id })) return []
  const rows = await lineCalls.ask((api) => api.all(`checkout/sessions/${id}/line_items`))
  return rows ? [readSessionLines(id, rows, at)] : []
}

/** Returns the lines of an invoice, which itself has only the first ten; nothing if they are unknown. */
async function linesOfInvoice({ id, lines }: ProviderJson, { at, lineCalls }: Omit<LineReading, 'stored'>) {
  const isWhole = parseObject(lines).has_more !== true
  const rows = isWhole ? parseRows(lines) : await lineCalls.ask((api) => api.all(`invoices/${parseId(id)}/lines`))
  return rows ? [readInvoiceLines(parseId(id), rows, at)] : []
}

async function chargeRead({ json, at, calls, lineCalls, stored }: StripeReading): Promise<EventFacts> {
  const charge = readCharge(json, at)
  const { taken } = charge.data as Charge
  const { key, aliases } = keyOfCharge(json)
  if (!taken) return { payments: [{ key, aliases, objects: [charge] }] }
  const related = await relatedTo(key, { at, calls, lineCalls, stored, charge: json })
  const knownBefore = [...(await stored.listByPayment(key)), ...related]
  const objects = [...related, charge, paymentReported(at)]
  // without session and invoice the tax would be missing
  return {
    payments: [{ key, aliases, objects }],
    needed: !knownBefore.some(({ kind }) => kind === 'session' || kind === 'invoice'),
  }
}

function keyOfCharge(json: ProviderJson) {
  const id = parseId(json.id) ?? ''
  const intent = parseId(json.payment_intent)
  return intent ? { key: intent, aliases: [id] } : { key: id, aliases: [] as string[] }
}

type Surroundings = Pick<StripeReading, 'at' | 'calls' | 'lineCalls' | 'stored'> & {
  charge?: ProviderJson
  invoice?: ProviderJson
}

/** Returns a payment's related objects, requested once: its charge, session, invoice and customer. */
async function relatedTo(key: string, around: Surroundings): Promise<ProviderObject[]> {
  const { at, calls, lineCalls, stored } = around
  if (isRelatedRead(await stored.listByPayment(key))) return []
  const failedBefore = calls.failure()
  // only an intent leads to its session and invoice; a charge without one may name its invoice
  const isIntent = key.startsWith('pi_')
  const [intent, sessions, links] = isIntent
    ? await Promise.all([
        calls.ask((api) => api.get(`payment_intents/${key}`, { 'expand[0]': 'latest_charge' })),
        calls.ask((api) => sessionsOf(api, key)),
        calls.ask((api) => invoicesPaidBy(api, key)),
      ])
    : [null, null, null]
  const charge = around.charge ?? (await chargeOf(intent, calls))
  const named = parseId(charge?.invoice) ?? parseId(intent?.invoice)
  const paid = links?.[0]
    ? { invoice: parseId(links[0].invoice), amount: links[0].amount_paid }
    : { invoice: named, amount: charge?.amount }
  const own = around.invoice && parseId(around.invoice.id) === paid.invoice ? around.invoice : null
  const customerId = parseId(charge?.customer) ?? parseId(intent?.customer) ?? parseId(sessions?.[0]?.customer)
  const [items, invoice, customer] = await Promise.all([
    sessions?.[0] ? linesOfSession(sessions[0], key, around) : [],
    own ?? (paid.invoice ? calls.ask((api) => api.get(`invoices/${paid.invoice}`, EXPAND_DISCOUNTS)) : null),
    customerId ? calls.ask((api) => api.get(`customers/${customerId}`)) : null,
  ])
  const lines = invoice && !own ? await linesOfInvoice(invoice, around) : []
  const isWhole = calls.failure() === failedBefore && lineCalls.failure()?.kind !== 'unavailable'
  return [
    ...[...items, ...lines],
    ...(intent ? [readIntent(intent, at)] : []),
    ...(sessions ?? []).map((session) => readSession(session, at, null)),
    ...(charge && charge.status === 'succeeded' ? [readCharge(charge, at)] : []),
    ...(invoice && paid.invoice ? [readInvoice(invoice, at), readLink(paid.invoice, paid.amount, at)] : []),
    ...(customer && !customer.deleted ? [readCustomer(customer, at)] : []),
    ...(isWhole ? [relatedRead(at)] : []),
  ]
}

async function chargeOf(intent: ProviderJson | null, calls: Calls): Promise<ProviderJson | null> {
  const latest = intent?.latest_charge
  if (typeof latest === 'object' && latest !== null) return latest as ProviderJson
  return typeof latest === 'string' ? calls.ask((api) => api.get(`charges/${latest}`)) : null
}

/** Requests an invoice with its discounts, which are otherwise only ids. */
async function withDiscounts(invoice: ProviderJson, calls: Calls): Promise<ProviderJson> {
  const { discounts } = invoice
  if (!Array.isArray(discounts) || !discounts.some((one) => typeof one === 'string')) return invoice
  const whole = await calls.ask((api) => api.get(`invoices/${parseId(invoice.id)}`, EXPAND_DISCOUNTS))
  return whole ? { ...invoice, discounts: whole.discounts } : invoice
}

const EXPAND_DISCOUNTS = { 'expand[0]': 'discounts' }

async function invoiceRead({ json: given, at, now, calls, lineCalls, stored }: StripeReading): Promise<EventFacts> {
  const json = await withDiscounts(given, calls)
  const invoice = readInvoice(json, at)
  const { paid, ...facts } = invoice.data as Invoice
  if (paid === 0) return { prospect: await prospectOf(facts, { at, calls }) }
  const isNew = now.getTime() - facts.at < LISTED_BY
  const payments = await paymentsOf(json, invoice.id, { calls, paid, isNew })
  if (!payments) return { needed: true }
  const lines = await linesOfInvoice(json, { at, lineCalls })
  const found: PaymentFacts[] = []
  for (const { key, amount } of payments) {
    const related = key === invoice.id ? [] : await relatedTo(key, { at, calls, lineCalls, stored, invoice: json })
    const objects = [...related, invoice, ...lines, readLink(invoice.id, amount, at), paymentReported(at)]
    found.push({ key, aliases: payments.length === 1 && key !== invoice.id ? [invoice.id] : [], objects })
  }
  return { payments: found }
}

/** Returns who starts a trial: an application that starts one by API may have named the partner at the customer alone. */
async function prospectOf(facts: PayerFacts, { at, calls }: Pick<StripeReading, 'at' | 'calls'>) {
  const { customer, references } = facts
  const customerJson =
    customer && references.length === 0 ? await calls.ask((api) => api.get(`customers/${customer}`)) : null
  return toPayer([
    facts,
    ...(customerJson && !customerJson.deleted ? [readCustomer(customerJson, at).data as PayerFacts] : []),
  ])
}

/** Milliseconds after which Stripe certainly lists an invoice's payments. */
const LISTED_BY = 60 * 60_000

type Paying = { calls: Calls; paid: number; isNew: boolean }

/**
 * Returns an invoice's payments; null if Stripe must be called and does not respond. An amount not paid through Stripe
 * is under the invoice's own id. A new invoice may not list its payments yet: they would be other sales.
 */
async function paymentsOf(json: ProviderJson, id: string, { calls, paid, isNew }: Paying) {
  const whole = [{ key: id, amount: paid }]
  if (json.paid_out_of_band === true) return whole
  const direct = parseId(json.payment_intent) ?? parseId(json.charge)
  if (direct) return [{ key: direct, amount: paid }]
  const rows = await calls.ask(async (api) => {
    const listed = await api.list('invoice_payments', { invoice: id, status: 'paid' })
    if (listed.length === 0 && paid > 0 && isNew)
      throw new PaymentProviderError('unavailable', 'Stripe doesn’t list the payments of this invoice yet.')
    return listed
  })
  if (!rows) return calls.failure() ? null : whole
  const payments = rows.flatMap((row) => keyOfLink(row) ?? [])
  if (payments.length === 0) return whole
  const outside = rows.reduce((all, row) => all + (keyOfLink(row) ? 0 : parseInteger(row.amount_paid)), 0)
  return outside > 0 ? [...payments, { key: id, amount: outside }] : payments
}

function keyOfLink(row: ProviderJson) {
  const { payment_intent, charge } = parseObject(row.payment)
  const key = parseId(payment_intent) ?? parseId(charge)
  return key ? { key, amount: row.amount_paid } : null
}

async function invoicePaymentRead({ json, at, calls, lineCalls, stored }: StripeReading): Promise<EventFacts> {
  const link = keyOfLink(json)
  const id = parseId(json.invoice)
  if (!link || !id) return {}
  const invoice = await calls.ask((api) => api.get(`invoices/${id}`, EXPAND_DISCOUNTS))
  if (!invoice) return { needed: true }
  const lines = await linesOfInvoice(invoice, { at, lineCalls })
  const related = await relatedTo(link.key, { at, calls, lineCalls, stored, invoice })
  const bill = [readInvoice(invoice, at), ...lines, readLink(id, link.amount, at)]
  const objects = [...related, ...bill, paymentReported(at)]
  return toFacts(link.key, ...objects)
}

/**
 * Reads refunds of a charge: the event contains their sum, and older ones each of them; if these do not add up, they
 * are read from Stripe.
 */
async function chargeRefunded({ json, at, calls, stored }: StripeReading): Promise<EventFacts> {
  const { key, aliases } = keyOfCharge(json)
  const inlined = parseRows(json.refunds)
  const named = inlined.reduce((all, refund) => all + (typeof refund.amount === 'number' ? refund.amount : 0), 0)
  const complete = named >= Number(json.amount_refunded ?? 0)
  const listed = complete
    ? []
    : ((await calls.ask((api) => api.list('refunds', { charge: parseId(json.id) ?? '' }))) ?? [])
  const refunds = [...inlined, ...listed].map((refund) => readRefund(refund, at))
  const names = await namesOf(key, parseId(json.invoice), { at, calls, stored })
  const objects = [readCharge(json, at), ...readChargeMark(json, at), ...refunds, ...names]
  return { payments: [{ key, aliases, objects }] }
}

/** Reads a refund or dispute with its payment; old forms contain only the charge. */
async function readReturn(
  { json, at, calls, stored }: Pick<StripeReading, 'json' | 'at' | 'calls' | 'stored'>,
  object: ProviderObject,
): Promise<EventFacts> {
  const intent = parseId(json.payment_intent)
  const charge = parseId(json.charge)
  const known = intent || (charge && (await stored.findPaymentKey('charge', charge)))
  const chargeJson =
    known || !charge || json.payment_intent === null ? null : await calls.ask((api) => api.get(`charges/${charge}`))
  const key = known ?? parseId(chargeJson?.payment_intent) ?? charge
  if (!key) return {}
  const names = await namesOf(key, parseId(chargeJson?.invoice), { at, calls, stored })
  const own = charge && charge !== key ? [readName(charge, at)] : []
  return { ...toFacts(key, object, ...own, ...names), needed: !known }
}

/**
 * Reads a credit note with the payment it takes from: the part of the invoice that was paid outside of Stripe, else its
 * newest payment. One that comes before its payment is found under the invoice's name.
 */
async function creditNoteRead(reading: StripeReading): Promise<EventFacts> {
  const { json, at } = reading
  const invoice = parseId(json.invoice)
  if (!invoice) return {}
  const key = await creditedPayment(invoice, reading)
  return toFacts(key, readCreditNote(json, at), ...(await namesOf(key, invoice, reading)))
}

async function creditedPayment(id: string, { at, calls, stored }: StripeReading): Promise<string> {
  const invoice = await calls.ask((api) => api.get(`invoices/${id}`))
  const { paid = 0 } = invoice ? (readInvoice(invoice, at).data as Invoice) : {}
  const payments = invoice && (await paymentsOf(invoice, id, { calls, paid, isNew: false }))
  if (payments) return payments.some(({ key }) => key === id) ? id : (payments[0]?.key ?? id)
  return isReported(await stored.listByPayment(id)) ? id : ((await stored.findPaymentKey('link', id)) ?? id)
}

/** Adds the charge to a refund that moved no money: it may release what was authorised but not captured. */
async function withChargeOfRelease({ json, at, calls }: StripeReading, facts: EventFacts): Promise<EventFacts> {
  const charge = parseId(json.charge)
  if (!charge || json.balance_transaction !== null || json.status !== 'succeeded') return facts
  const chargeJson = await calls.ask((api) => api.get(`charges/${charge}`))
  const [payment] = facts.payments ?? []
  if (!chargeJson || !payment) return facts
  return { ...facts, payments: [{ ...payment, objects: [...payment.objects, readCharge(chargeJson, at)] }] }
}

/**
 * Returns the invoice and the session of a payment that was never reported: a sale from a file may be under their ids.
 */
async function namesOf(
  key: string,
  invoice: string | null,
  { at, calls, stored }: Pick<StripeReading, 'at' | 'calls' | 'stored'>,
): Promise<ProviderObject[]> {
  const known = await stored.listByPayment(key)
  if (isReported(known) || known.some(({ kind }) => kind === 'name')) return []
  const isIntent = key.startsWith('pi_')
  const [sessions, links] = isIntent
    ? await Promise.all([calls.ask((api) => sessionsOf(api, key)), calls.ask((api) => invoicesPaidBy(api, key))])
    : []
  const names = [
    invoice,
    ...(links ?? []).map((link) => parseId(link.invoice)),
    ...(sessions ?? []).map(({ id }) => parseId(id)),
  ]
  return names.flatMap((name) => (name ? readName(name, at) : []))
}

const sessionsOf = (api: StripeApi, intent: string) =>
  api.list('checkout/sessions', { payment_intent: intent, limit: '1' })

const invoicesPaidBy = (api: StripeApi, intent: string) =>
  api.list('invoice_payments', {
    'payment[type]': 'payment_intent',
    'payment[payment_intent]': intent,
    status: 'paid',
  })
