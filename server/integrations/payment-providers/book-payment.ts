import { isDeepStrictEqual } from 'node:util'
import { splitByShares, toProportion } from '#contract/money.ts'
import { MOST_LINES, type RefundLine } from '#contract/sales.ts'
import { type Author, system } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { lockLeads } from '../../program/leads/lead-facts.ts'
import { rememberCustomer } from '../../program/leads/match-payment.ts'
import { paidOn } from '../../program/leads/payment-time.ts'
import { adoptSale, matchRefund } from '../../program/sales/adopt-sale.ts'
import { assignSalesToLead } from '../../program/sales/attribute-sale.ts'
import { correctSale, correctSubscription } from '../../program/sales/correct-sale.ts'
import { saveCardHash } from '../../program/sales/keep-card.ts'
import { PAYMENT_NAMES } from '../../program/sales/known-sales.ts'
import { saveEvidence, saveTestMatch } from '../../program/sales/match-evidence.ts'
import { recordSale } from '../../program/sales/record-sale.ts'
import { applyRefund, inSaleCurrency } from '../../program/sales/refund-sale.ts'
import { lockSale, type SaleRow } from '../../program/sales/sale-state.ts'
import { cardHash } from './card-hash.ts'
import { matchInTest, matchPayer, type PayerLookup, type TestMatch } from './match-payer.ts'
import type { PaidBefore, PaymentFacts, ProviderAdapter, ProviderObject, ProviderPayment } from './provider.ts'
import { paymentReported } from './provider-objects.ts'
import { type BookedPayment, bookedPayment, lockObjectKeys, renamePayment, saveBooked } from './queries.ts'
import { pickNewest, shopObjects } from './stored-objects.ts'

/** The sale of a payment, if it is one yet, and why a part of it waits, in words. */
export type Booked = { saleId: string | null; lack: string | null }

/** The context of a booking: stored facts belong to the shop, new sales refer to the connection. */
export type Booking = {
  shopId: string
  connectionId: string
  account: AccountFacts
  adapter: ProviderAdapter
  secrets: Secrets
  /** New sales are in test mode and count nowhere. */
  isTest?: boolean
  /** The queried connection may belong to another account than the one that sent the event. */
  mayBeAnother?: boolean
  /** Set for past payments; live ones are always booked. */
  past?: Past
  /** The provider's answers about its customers; omitted if it can't be asked. */
  paidBefore?: PaidBefore
  /** The author of past payments, for the person who imports them; the product itself if absent. */
  by?: Author
}

/** Decides which past payments become sales; `booked` is called for each that is one, in its transaction. */
export type Past = {
  accepts(payment: ProviderPayment): boolean
  booked(tx: Transaction, payment: PastPayment): Promise<void>
}
export type PastPayment = { key: string; payment: ProviderPayment; saleId: string; created: boolean; credited: boolean }

/** The payment is neither booked nor accepted: nothing of it is stored. */
export class NotAccepted extends Error {}

/**
 * Stores the facts of one payment and books their combined result: its sale, payer, refunds and disputes. Facts are
 * merged per object, so that every order of events ends in the same sums; payments are processed one at a time.
 */
export async function bookFacts(tx: Transaction, booking: Booking, { key, aliases = [], objects }: PaymentFacts) {
  const { shopId } = booking
  const accountId = booking.account.id
  const groups = objects.flatMap(({ group }) => group ?? [])
  await lockObjectKeys(tx, shopId, [key, ...aliases])
  if (groups.length > 0) await lockObjectKeys(tx, shopId, groups)
  const moved = await shopObjects.take(tx, accountId, shopId, aliases)
  if (aliases.length > 0) await renamePayment(tx, accountId, shopId, aliases, key)
  await shopObjects.save(tx, accountId, shopId, key, pickNewest([...moved, ...objects]))
  return book(tx, booking, key)
}

/**
 * Stores facts shared by the payments of a group; returns these payments, which `bookAgain` then processes one by one.
 */
export async function saveShared(
  tx: Transaction,
  { shopId, account }: Booking,
  group: string,
  objects: ProviderObject[],
): Promise<string[]> {
  await lockObjectKeys(tx, shopId, [group])
  await shopObjects.save(tx, account.id, shopId, group, pickNewest(objects))
  return shopObjects.paymentsOfGroup(tx, account.id, shopId, group)
}

export async function bookAgain(tx: Transaction, booking: Booking, key: string) {
  await lockObjectKeys(tx, booking.shopId, [key])
  return book(tx, booking, key)
}

/** Reports a payment that is already booked without changing it; one that is not booked is skipped. */
export async function reportBooked(tx: Transaction, { shopId, account, adapter, past }: Booking, key: string) {
  const known = await bookedPayment(tx, account.id, shopId, key)
  const payment = known && adapter.toPayment(key, await shopObjects.find(tx, account.id, shopId, [key]))
  if (payment)
    await past?.booked(tx, { key, payment, saleId: known.saleId, created: false, credited: known.attributed })
}

async function book(tx: Transaction, booking: Booking, key: string): Promise<Booked> {
  const { shopId, account, adapter, past, by = system } = booking
  const objects = await shopObjects.find(tx, account.id, shopId, [key])
  const payment = adapter.toPayment(key, objects)
  const known = await bookedPayment(tx, account.id, shopId, key)
  if (!payment) return bookUnreported(tx, booking, key, { objects, known })
  if (!known && payment.grossAmount === 0) return { saleId: null, lack: null }
  if (!known && past && !past.accepts(payment)) throw new NotAccepted(key)
  const card = cardHashOf(booking, payment)
  const { created, ...booked } = known
    ? { ...known, created: false }
    : ((await adopt(tx, booking, key, { objects, payment })) ?? (await recordPayment(tx, booking, payment, card)))
  if (!created) {
    if (card && !booked.hasCard) await saveCardHash(tx, account.id, booked.saleId, card)
    await correctSubscription(tx, account, booked.saleId, payment.subscriptionId)
    await correctSale(tx, by, account, booked.saleId, { reported: payment, source: adapter.name })
  }
  if (!booked.attributed) booked.attributed = await attribute(tx, booking, booked.saleId, payment)
  const lack = await applyRefunds(tx, by, account, booked, payment)
  await saveBooked(tx, account.id, shopId, key, booked)
  await past?.booked(tx, { key, payment, saleId: booked.saleId, created, credited: booked.attributed })
  return { saleId: booked.saleId, lack }
}

/**
 * Applies the refunds and disputes of a payment that was never reported, such as one from before the connection, to the
 * sale that it already is; without one they are only kept.
 */
async function bookUnreported(
  tx: Transaction,
  booking: Booking,
  key: string,
  { objects, known }: { objects: ProviderObject[]; known: BookedPayment | undefined },
): Promise<Booked> {
  const { shopId, account, adapter, by = system } = booking
  const hasRefunds = adapter.toRefunds(key, objects, account.defaultCurrency).some(({ amount }) => amount > 0)
  if (!known && !hasRefunds) return { saleId: null, lack: null }
  const booked = known ?? (await adopt(tx, booking, key, { objects, payment: null }))
  if (!booked) return { saleId: null, lack: null }
  const { sale } = await lockSale(tx, account.id, booked.saleId)
  const refunds = adapter.toRefunds(key, objects, sale.currency)
  const lack = await applyRefunds(tx, by, account, booked, { ...sale, refunds })
  await saveBooked(tx, account.id, shopId, key, booked)
  return { saleId: booked.saleId, lack }
}

/** Finds the lead of a payment and books it. */
export async function recordPayment(
  tx: Transaction,
  { shopId, connectionId, account, adapter, isTest = false, paidBefore, by = system }: Omit<Booking, 'secrets'>,
  payment: ProviderPayment,
  card: Buffer | null,
): Promise<BookedPayment & { created: boolean }> {
  const about = { shopId, at: payment.at, hasPaid: true, paidBefore }
  const payer = isTest
    ? inTest(await matchInTest(tx, account, payment, about))
    : inLive(await matchPayer(tx, account, payment, about))
  const at = payment.at < tx.now ? payment.at : tx.now
  const sale = {
    account,
    ...payer,
    provider: adapter.provider,
    shopId,
    externalId: payment.externalId,
    connectionId,
    customerId: payment.customerId,
    payerEmail: payment.email,
    cardHash: card,
    amount: payment.amount,
    taxAmount: payment.taxAmount,
    grossAmount: payment.grossAmount,
    currency: payment.currency,
    saleDate: at,
    description: payment.description,
    subscriptionId: payment.subscriptionId,
    lines: payment.lines,
    country: payment.country,
    promotionCodes: payment.promotionCodes,
    by,
  }
  const { id, created, partnerId } = await recordSale(tx, sale)
  // one recorded by another connection is left to `attribute`
  return { saleId: id, attributed: partnerId !== null, adopted: false, hasCard: false, applied: {}, created }
}

/** A card of test mode is no person's. */
const cardHashOf = ({ secrets, account, adapter, isTest }: Booking, { card }: ProviderPayment) =>
  card && !isTest ? cardHash(secrets, account.id, adapter.provider, card) : null

const inLive = ({ match, tried, partnerCode }: PayerLookup) => ({
  leadId: null,
  matchedBy: null,
  ...match,
  evidence: tried,
  partnerCode,
})
const inTest = ({ leadId, matchedBy, tried, partnerCode }: TestMatch) => ({
  leadId: null,
  test: { leadId },
  matchedBy,
  evidence: tried,
  partnerCode,
})

/**
 * Adopts the sale that a payment already is, from a file, a push or by hand; undefined if there is none. `payment`: null
 * if it was never reported.
 */
async function adopt(
  tx: Transaction,
  { shopId, account, adapter }: Booking,
  key: string,
  { objects, payment }: { objects: ProviderObject[]; payment: ProviderPayment | null },
): Promise<(BookedPayment & { created: boolean }) | undefined> {
  const called = objects.filter(({ kind }) => PAYMENT_NAMES.includes(kind)).map(({ id }) => id)
  const sale = await adoptSale(tx, account, {
    shopId,
    names: [...new Set([key, ...called])],
    isReported: payment !== null,
    payment: payment ?? adapter.toPayment(key, [...objects, paymentReported(tx.now)]),
  })
  if (!sale) return undefined
  const customerId = payment?.customerId
  if (sale.leadId && customerId) await rememberCustomer(tx, account.id, { shopId, customerId, leadId: sale.leadId })
  const attributed = sale.partnerId !== null
  return { saleId: sale.id, attributed, adopted: true, hasCard: false, applied: {}, created: false }
}

/**
 * Searches again for the lead of a sale without a credited partner; returns whether it is credited now. A customer
 * referred after the payment changes nothing: crediting the past is up to a person.
 */
async function attribute(
  tx: Transaction,
  { shopId, account, paidBefore, by = system }: Booking,
  saleId: string,
  payment: ProviderPayment,
): Promise<boolean> {
  const { sale } = await lockSale(tx, account.id, saleId)
  if (sale.partnerId) return true
  const at = madeAt(account, sale, payment, tx.now)
  if (sale.isTest) {
    await saveTestMatch(tx, account.id, saleId, await matchInTest(tx, account, payment, { shopId, at }))
    return false
  }
  // the partner given to its customer since then is for later sales, whatever the payment names
  const [own] = sale.leadId ? await lockLeads(tx, [account.id], [sale.leadId]) : []
  if (own?.partnerId && Date.parse(own.attributedAt) > at.getTime()) return false
  const about = { shopId, at, hasPaid: true, recordedAt: new Date(sale.createdAt), paidBefore }
  const { match, tried } = await matchPayer(tx, account, payment, about)
  const [lead] = match ? await lockLeads(tx, [account.id], [match.leadId]) : []
  if (match && lead?.status === 'rejected')
    tried.push({
      rule: match.matchedBy,
      outcome: lead.statusReason === 'existing-customer' ? 'paid-before' : 'rejected',
    })
  if (!match || !lead || lead.status === 'rejected') {
    // later events may add evidence: a code, even an unassigned one
    if (!sale.leadId) await saveEvidence(tx, account.id, saleId, tried)
    return false
  }
  const { matchedBy, creditTo, knownBy } = match
  if (lead.partnerId || creditTo || lead.id !== sale.leadId) {
    const lookedUp = { creditTo, knownBy, at: at.toISOString(), evidence: tried }
    await assignSalesToLead(tx, by, account.id, lead, [{ id: saleId, matchedBy, lookedUp }])
  }
  return lead.partnerId !== null || creditTo !== undefined
}

/** Returns the time of a payment: a correction is reported later, but applies to the date and time known before. */
function madeAt(
  { timeZone }: AccountFacts,
  { saleDate, createdAt }: SaleRow,
  { at }: ProviderPayment,
  now: Date,
): Date {
  const known = [new Date(createdAt), paidOn(saleDate, timeZone, now).at]
  return known.reduce((first, one) => (one < first ? one : first), at)
}

/**
 * Applies changed refunds and disputes to the sale; removed ones are reversed first. One in a currency without a known
 * rate is postponed, with the reason returned; a dispute holds the whole sale until then.
 */
async function applyRefunds(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  booked: BookedPayment,
  { refunds, currency, grossAmount }: Pick<ProviderPayment, 'refunds' | 'currency' | 'grossAmount'>,
): Promise<string | null> {
  const current = new Map(refunds.filter(({ amount }) => amount > 0).map((refund) => [nameOf(refund), refund]))
  for (const [name, { status, amount }] of Object.entries(booked.applied)) {
    if (current.has(name) || status === 'canceled') continue
    const [kind, externalId] = split(name)
    // a lost dispute too: an appeal may change its amount, and so its name
    const report = { kind, externalId, amount, status: 'canceled' as const, overturned: true, reason: null, at: tx.now }
    await applyRefund(tx, by, account, booked.saleId, report)
    booked.applied[name] = { status: 'canceled', amount, untold: true }
  }
  let lack: string | null = null
  const names = refunds.map(({ externalId }) => externalId)
  for (const [name, refund] of current) {
    const known = booked.applied[name]
    const reported = refund.currency === currency ? undefined : `${refund.amount} ${refund.currency}`
    const isUnchanged =
      known && (reported === undefined ? known.amount === refund.amount : (known.told ?? reported) === reported)
    const isGone = refund.status === 'failed' || refund.status === 'canceled'
    const keepsWorth = isUnchanged || (known && isGone)
    const amount = keepsWorth ? known.amount : await inSaleCurrency(tx, account, booked.saleId, refund)
    const status = amount === null ? withoutWorth(refund) : refund.status
    if (amount === null && !isGone) lack ??= `A ${refund.kind} in ${refund.currency} is waiting for an exchange rate.`
    const worth = amount ?? known?.amount ?? (status === 'pending' ? grossAmount : 0)
    if (!status || worth === 0) continue
    const lines = linesWorth(refund, worth) ?? known?.lines
    booked.applied[name] = {
      status,
      amount: worth,
      ...(lines && { lines }),
      ...(reported && { told: amount === null ? NOT_KNOWN : reported }),
    }
    if (known?.status === status && known.amount === worth && isDeepStrictEqual(known.lines, lines)) continue
    const isBack = known?.untold === true && !isGone
    const report = { ...refund, status, amount: worth, lines, ...(isBack && { overturned: true }) }
    if ((booked.adopted || refund.mayBeByHand) && !known)
      await matchRefund(tx, account.id, booked.saleId, report, names)
    const kept = await applyRefund(tx, by, account, booked.saleId, report)
    // a final status stays, whatever is reported
    Object.assign(booked.applied[name], { status: kept.status, amount: kept.amount })
  }
  return lack
}

const NOT_KNOWN = ''

/** Returns the lines of a refund in the sale's currency, of which it is `worth` so much: together at most that. */
function linesWorth({ lines, amount }: ProviderPayment['refunds'][number], worth: number): RefundLine[] | undefined {
  const named = new Map<string, number>()
  for (const line of lines ?? []) if (line.amount > 0) named.set(line.id, (named.get(line.id) ?? 0) + line.amount)
  if (named.size === 0) return undefined
  const sum = [...named.values()].reduce((before, part) => before + part, 0)
  const parts = splitByShares(sum < amount ? toProportion(worth, sum, amount) : worth, [...named.values()])
  return [...named.keys()].map((id, index) => ({ id, amount: parts[index]! })).slice(0, MOST_LINES)
}

/**
 * Returns the status that a refund of unknown worth may set: an open dispute holds the sale, a closed one releases it.
 */
const withoutWorth = ({ kind, status }: ProviderPayment['refunds'][number]) =>
  status === 'failed' || status === 'canceled' ? status : kind === 'dispute' ? 'pending' : null

const nameOf = ({ kind, externalId }: ProviderPayment['refunds'][number]) => `${kind} ${externalId}`
function split(name: string) {
  const at = name.indexOf(' ')
  return [name.slice(0, at) as 'refund' | 'dispute', name.slice(at + 1)] as const
}
