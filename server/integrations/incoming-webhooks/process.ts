import { z } from 'zod'
import { mistakesIn } from '#contract/fields.ts'
import type { DeliveryRecord, IncomingRehearsal, IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { LeadStatusChange, NewPushedLead } from '#contract/leads.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Json } from '#contract/payload-paths.ts'
import { NewPushedRefund, NewPushedSale, type Sale } from '#contract/sales.ts'
import { Country } from '#contract/terms.ts'
import { AmountFromZero, isNoId, MOST_OF_REFERRAL } from '#contract/values.ts'
import { type Author, system, systemAuthor } from '../../platform/author.ts'
import { findAccountId } from '../../platform/database/by-key.ts'
import {
  bookingTransaction,
  type Database,
  type Transaction,
  withRollback,
  withSavepoint,
} from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { toRefusal } from '../../platform/http/parse.ts'
import { refusalOfRow } from '../../platform/http/rows.ts'
import { RowNotThere } from '../../platform/jobs/worker.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { Refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { daysBetween } from '../../platform/time/days.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { lockAccountShared } from '../../program/access/lock-accounts.ts'
import { mayPay } from '../../program/access/payers.ts'
import { captureLead } from '../../program/leads/capture-lead.ts'
import { findLeadBy } from '../../program/leads/lead-facts.ts'
import { changeLeadStatus } from '../../program/leads/lead-status.ts'
import { presentLead } from '../../program/leads/present-lead.ts'
import { findPartnerByEmail } from '../../program/partner-directory/find-partner.ts'
import { netOfTotal } from '../../program/sales/net-of-total.ts'
import { presentRefund } from '../../program/sales/present-sales.ts'
import { currencyOfRefunded, pushRefund } from '../../program/sales/push-refund.ts'
import { type PushedSale, pushSales } from '../../program/sales/push-sales.ts'
import { type MappedFields, mapFields, unclearDays } from './map.ts'
import { type Named, noteSameId, type Other, othersId } from './others-id.ts'
import {
  type IncomingWebhookRow,
  incomingWebhookById,
  lockDelivery,
  lockIncomingWebhook,
  type SettledDelivery,
  settleDelivery,
} from './queries.ts'
import type { IncomingJob } from './queue.ts'
import { type Applied, applyRules, onlyRule, type Rule, type StoredRules, toRules } from './rules.ts'
import { isCapturing } from './webhooks.ts'

type Made = {
  type: 'lead' | 'sale' | 'refund'
  id: string
  created: boolean
  object: unknown
  /** Sentences about facts that contradict those known. */
  warnings: string[]
  others?: Named['others']
}
type Hook = Pick<IncomingWebhookRow, 'id' | 'accountId'> & StoredRules

/**
 * Processes a delivery once, and stores its result. A failure is judged again with the webhook locked, as its owner may
 * have mended it meanwhile and replayed what had failed by then.
 */
export async function processDelivery({ db }: Pick<Services, 'db'>, job: IncomingJob) {
  try {
    await processOnce(db, job, null)
  } catch (error) {
    if (!(error instanceof FailedUnlocked)) throw error
    await processOnce(db, job, error.hook)
  }
}

/** Undoes the delivery of a webhook that failed while the webhook was not locked. */
class FailedUnlocked extends Error {
  readonly hook: IncomingWebhookRow
  constructor(hook: IncomingWebhookRow) {
    super('failed while its webhook was not locked')
    this.hook = hook
  }
}

const processOnce = (
  db: Database,
  { deliveryId: id, replayedBy, ...job }: IncomingJob,
  failed: IncomingWebhookRow | null,
) =>
  bookingTransaction(db, async (tx) => {
    const accountId = job.accountId ?? (await findAccountId(tx, sql`incoming_deliveries`, id))
    // before the delivery, as in deleting a webhook
    const locked = failed && (await lockIncomingWebhook(tx, failed.id))
    const delivery = accountId === undefined ? undefined : await lockDelivery(tx, { id, accountId })
    if (accountId === undefined || !delivery) throw new RowNotThere()
    if (delivery.state !== 'received' || delivery.payload === null) return
    const hook = locked ?? (await incomingWebhookById(tx, delivery.webhookId))
    if (!hook) return
    const isReplay = delivery.reason !== null
    const by = systemAuthor(await personBehind(tx, hook, replayedBy))
    const outcome = await outcomeOf(tx, by, hook, JSON.parse(delivery.payload))
    if (outcome.state === 'failed' && !locked) throw new FailedUnlocked(hook)
    await settleDelivery(
      tx,
      { id, accountId },
      isReplay && outcome.state === 'processed' ? { ...outcome, state: 'replayed' } : outcome,
    )
    await noteSameId(tx, hook, outcome.othersId ?? [])
  })

/**
 * Returns the person whose act a delivery is: of those who made the webhook, changed it last and replay the delivery, one
 * who may not pay, if there is one.
 */
export const personBehind = async (
  tx: Transaction,
  { accountId, createdBy, changedBy }: IncomingWebhookRow,
  replayedBy: string | null = null,
): Promise<string | null> =>
  (
    await tx.maybe<{ id: string }>`
    select p.id
    from unnest(${[changedBy, createdBy, replayedBy]}::uuid[]) with ordinality as p (id, place)
      left join user_roles r on r.account_id = ${accountId} and r.user_id = p.id and ${mayPay(sql`r`)}
    where p.id is not null order by r.user_id is not null, p.place limit 1`
  )?.id ?? null

/** Makes a payload's records, each alone: one that fails fails the delivery, and leaves the others as they are. */
async function outcomeOf(
  tx: Transaction,
  by: Author,
  hook: IncomingWebhookRow,
  payload: Json,
): Promise<SettledDelivery> {
  const nothing = { fields: null, madeType: null, madeId: null, records: null, warnings: null, othersId: null }
  if (isCapturing(hook)) return { ...nothing, state: 'ignored', reason: 'There’s no mapping yet. Saved as a sample.' }
  const { applied, ignored, refused, warnings } = applyRules(hook, payload)
  if (refused) return { ...nothing, state: 'failed', reason: refused }
  if (applied.length === 0) return { ...nothing, state: 'ignored', reason: ignored }
  const account = await lockAccountShared(tx, hook.accountId)
  const results = await resultsOf(tx, by, hook, account, applied)
  const others = results.flatMap((result) => result.others)
  const made = results.find(isMade)?.record
  const allWarnings = warningsOf(warnings, applied, results).slice(0, MOST_WARNINGS)
  return {
    ...settledBy(results),
    madeType: made?.type ?? null,
    madeId: made?.id ?? null,
    records: results.map(({ record }) => record),
    warnings: allWarnings.length > 0 ? allWarnings : null,
    othersId: others.length > 0 ? others : null,
  }
}

/** Most warnings of a delivery. */
const MOST_WARNINGS = 20

type Result = {
  record: DeliveryRecord
  fields: Record<string, string> | null
  object: unknown
  warnings: string[]
  others: Other[]
}

/** Makes records, each in a savepoint of its own; the sales of a rule together, as long as none of them is refused. */
async function resultsOf(tx: Transaction, by: Author, hook: Hook, account: AccountFacts, applied: Applied[]) {
  const results: Result[] = []
  const alone = (one: Applied) => resultOf(one.rule, () => withSavepoint(tx, () => make(tx, by, hook, account, one)))
  for (const [{ target }, some] of Map.groupBy(applied, ({ rule }) => rule)) {
    const together = target === 'sale' && some.length > 1 && (await sellTogether(tx, by, hook, account, some))
    if (together) results.push(...together)
    else for (const one of some) results.push(await alone(one))
  }
  return results
}

/** Makes sales by one booking. One that is refused undoes them all, since it must leave nothing: returns undefined. */
async function sellTogether(
  tx: Transaction,
  by: Author,
  hook: Hook,
  account: AccountFacts,
  applied: Applied[],
): Promise<Result[] | undefined> {
  const orders: (PushedSale | Refusal | Skipped)[] = []
  for (const one of applied) orders.push(await orderOf(tx, by, hook, account, one).catch(unmade))
  const sold = await withSavepoint(tx, () => sell(tx, account, orders.filter(isOrder))).catch(unmade)
  if (sold instanceof Error) return
  const results: Result[] = []
  for (const [at, order] of orders.entries())
    results.push(
      await resultOf(applied[at]!.rule, async () => (isOrder(order) ? sold.shift()! : Promise.reject(order))),
    )
  return results
}

const isOrder = (order: PushedSale | Error): order is PushedSale => !(order instanceof Error)

const isMade = ({ record }: Result) => record.id !== null

const warningsOf = (warnings: string[], applied: Applied[], results: Result[]) => [
  ...new Set([
    ...warnings,
    ...applied.flatMap(({ rule, source }) => unclearDays(source, rule)),
    ...results.flatMap((result) => result.warnings),
  ]),
]

/** Returns the state of a delivery with these results: failed with the first one that is, ignored if all were skipped. */
function settledBy(results: Result[]) {
  const first = (state: DeliveryRecord['state']) => results.find(({ record }) => record.state === state)
  const failed = first('failed')
  if (failed) return { state: 'failed' as const, reason: failed.record.reason, fields: failed.fields }
  if (results.some(isMade)) return { state: 'processed' as const, reason: null, fields: null }
  return { state: 'ignored' as const, reason: first('skipped')!.record.reason, fields: null }
}

/** There is nothing to record, and no mistake either; the message says why. */
class Skipped extends Error {}

/** Returns why a record is not made; rethrows an error that concerns more. */
function unmade(error: unknown): Refusal | Skipped {
  return error instanceof Skipped ? error : refusalOfRow(error)
}

/** Returns what making a record came to. */
async function resultOf({ name: rule, target }: Rule, making: () => Promise<Made>): Promise<Result> {
  try {
    const { type, id, created, object, warnings, others: named = [] } = await making()
    const state = created ? ('created' as const) : ('repeated' as const)
    const others = named.map((other) => ({ ...other, made: { type, id } }))
    return { record: { rule, type, id, state, reason: null }, fields: null, object, warnings, others }
  } catch (error) {
    const why = unmade(error)
    const { message: reason, fields = null } = why instanceof Skipped ? { message: why.message } : why
    const state = why instanceof Skipped ? ('skipped' as const) : ('failed' as const)
    const type = target === 'lead-status' ? ('lead' as const) : target
    return { record: { rule, type, id: null, state, reason }, fields, object: null, warnings: [], others: [] }
  }
}

/** Returns the outcome of a payload: processes it, reads the result and rolls back. */
export async function rehearsePayload(tx: Transaction, hook: Hook, payload: Json): Promise<IncomingRehearsal> {
  const account = await lockAccountShared(tx, hook.accountId)
  const { applied, ignored, refused, warnings } = applyRules(hook, payload)
  const first = { rule: toRules(hook)[0] ?? onlyRule(hook), source: { item: payload, body: payload } }
  const shown = applied[0] ?? first
  const { values } = (await readingOf(tx, account, shown)).read
  const nothing = { fields: null, values, made: null, records: [], warnings }
  if (refused) return { ...nothing, state: 'failed', reason: refused }
  if (applied.length === 0) return { ...nothing, state: 'ignored', reason: ignored }
  const results = await withRollback(tx, () => resultsOf(tx, system, hook, account, applied))
  const made = results.find(isMade)
  return {
    ...settledBy(results),
    values,
    made: made ? { type: made.record.type, created: made.record.state === 'created', object: made.object } : null,
    records: results.map(({ record: { id: _, ...record }, object }) => ({ ...record, object })),
    warnings: warningsOf(warnings, applied, results),
  }
}

/** Reads what a rule applies to; the amount of a refund in the currency of its sale, which refunds do not name. */
async function readingOf(tx: Transaction, account: AccountFacts, { rule, source }: Applied) {
  const read = mapFields(source, rule, account.defaultCurrency, account.timeZone)
  for (const field of IDS) if (isNoId(String(read.values[field] ?? ''))) delete read.values[field]
  const sale = rule.target === 'refund' && read.values.saleExternalId
  const currency = sale ? await currencyOfRefunded(tx, account.id, String(sale), REFUNDED) : undefined
  return { read: currency ? mapFields(source, rule, currency, account.timeZone) : read, payload: source.item }
}

/** Fields whose value must be one record's alone. */
const IDS = ['externalId', 'leadExternalId', 'saleExternalId'] as const

/** The sources of sales that a refund may name, in order. */
const REFUNDED = ['incoming-webhook' as const, 'api' as const]

async function make(tx: Transaction, by: Author, hook: Hook, account: AccountFacts, applied: Applied): Promise<Made> {
  if (applied.rule.target !== 'sale')
    return makers[applied.rule.target](tx, by, account, await readingFor(tx, account, applied))
  return (await sell(tx, account, [await orderOf(tx, by, hook, account, applied)]))[0]!
}

/** Returns what a rule reads, and the partner named there; refuses what can't be read. */
async function readingFor(tx: Transaction, account: AccountFacts, applied: Applied) {
  const { read, payload } = await readingOf(tx, account, applied)
  if (Object.keys(read.problems).length > 0) throw toRefusal({ fields: read.problems, more: 0 })
  return { ...read, payload, naming: await namingOf(tx, account, applied.rule, read) }
}

type Naming = { referralCode?: string; partnerId?: string; clickId?: string }

/**
 * Returns the partner that the payload names. An unknown one counts as none: the record is stored without a partner,
 * for a person to assign.
 */
async function namingOf(
  tx: Transaction,
  account: AccountFacts,
  { partnerMatch }: Rule,
  { partner }: MappedFields,
): Promise<Naming> {
  if (!partnerMatch || !partner) return {}
  if (partnerMatch.by === 'email') {
    const found = await findPartnerByEmail(tx, account.id, partner)
    return found ? { partnerId: found.id } : {}
  }
  const field = { referralCode: 'referralCode', id: 'partnerId', clickId: 'clickId' } as const
  return { [field[partnerMatch.by]]: partner.slice(0, MOST_OF_REFERRAL) }
}

/** The amounts of a sale that its row does not have. */
const BesideRow = z.object({ grossAmount: AmountFromZero.optional(), shippingAmount: AmountFromZero.optional() })

/** Returns the sale that a rule reads. */
async function orderOf(
  tx: Transaction,
  by: Author,
  { id: shopId }: Hook,
  account: AccountFacts,
  applied: Applied,
): Promise<PushedSale> {
  const { values, rest, naming: named } = await readingFor(tx, account, applied)
  const {
    amount: _,
    grossAmount: __,
    taxAmount: ___,
    shippingAmount: ____,
    productId,
    priceId,
    country,
    ...others
  } = values
  const { referralCode, ...naming } = named
  const numbers = numbersIn(values, 'amount', 'grossAmount', 'taxAmount', 'shippingAmount')
  const { grossAmount, shippingAmount } = numbers
  refuseNegative(numbers)
  checked(BesideRow, omitUndefined({ grossAmount, shippingAmount }))
  // tax alone is in the row
  const isWhole = grossAmount !== undefined || (shippingAmount !== undefined && numbers.amount !== undefined)
  const net = isWhole ? netOfTotal(numbers) : null
  const { amount, taxAmount } = net ?? numbers
  // a free order is told like any other
  if (amount === 0) throw new Skipped('This sale’s amount is 0.')
  const product = texts(omitUndefined({ productId, priceId }))
  // an unreadable country is unknown, which is never an error
  const known = Country.safeParse(country).success ? { country } : {}
  const lines = amount !== undefined && Object.keys(product).length > 0 ? [{ ...product, amount }] : undefined
  const read = {
    ...texts(others),
    ...omitUndefined({ amount, taxAmount, referralCode, lines, ...known }),
    metadata: rest,
  }
  const row = checked(NewPushedSale, read)
  const access = { as: 'push', account, subjectId: account.id, partnerId: null } as const
  return { access, row, by, from: 'incoming-webhook', shopId, naming, grossAmount: net?.grossAmount }
}

/** Records sales as one list. A refusal of one is thrown. */
async function sell(tx: Transaction, account: AccountFacts, orders: PushedSale[]): Promise<Made[]> {
  const sold: Made[] = []
  for (const [at, answer] of (await pushSales(tx, orders)).entries()) {
    if (answer instanceof Error) throw answer
    const { row } = orders[at]!
    const { sale, status } = answer
    const created = status === 201
    const person = { email: row.email, externalId: row.leadExternalId }
    const { warnings, ...another } = await othersId(tx, account.id, person)
    if (!created) warnings.push(...otherAmount(sale, row), ...otherDay(sale, row))
    sold.push({ type: 'sale', id: sale.id, created, object: sale, warnings, ...another })
  }
  return sold
}

type Reading = Awaited<ReturnType<typeof readingFor>>
type Maker = (tx: Transaction, by: Author, account: AccountFacts, reading: Reading) => Promise<Made>

const makers: Record<Exclude<IncomingWebhook['target'], 'sale'>, Maker> = {
  async lead(tx, by, account, { values, rest, naming, payload: sent }) {
    const row = checked(NewPushedLead, { ...texts(withNames(values)), metadata: rest })
    const submission = { ...row, ...naming, source: 'incoming-webhook' as const, sent, by }
    const { leadId, created } = await captureLead(tx, account, submission)
    const named = await othersId(tx, account.id, row)
    const object = await presentLead(tx, { account, partnerId: null }, leadId)
    return { type: 'lead', id: leadId, created, object, ...named }
  },
  async refund(tx, by, account, { values }) {
    const { amount: _, refundedTotal: __, ...others } = values
    const { amount: reported, refundedTotal } = numbersIn(values, 'amount', 'refundedTotal')
    if (reported === 0 || refundedTotal === 0) throw new Skipped('This refund’s amount is 0.')
    const { externalId, ...said } = texts(others)
    // a shop tells 10.00 given back as 10.00 or as -10.00
    const inAll = refundedTotal === undefined ? undefined : Math.abs(refundedTotal)
    const row = checked(NewPushedRefund, {
      ...said,
      // each total of a sale is a refund of its own
      externalId: inAll === undefined ? externalId : `${externalId ?? said.saleExternalId}:${inAll}`,
      ...(reported !== undefined && inAll === undefined && { amount: Math.abs(reported) }),
    })
    const { id, created } = await pushRefund(tx, by, account, row, REFUNDED, inAll).catch((error) => {
      if (error instanceof Refusal && error.reason === 'sale_already_refunded') throw new Skipped(error.message)
      throw error
    })
    return { type: 'refund', id, created, object: await presentRefund(tx, account.id, id), warnings: [] }
  },
  async 'lead-status'(tx, by, account, { values }) {
    const { leadExternalId = null, email = null, ...change } = texts(values)
    const named = await othersId(tx, account.id, { email, externalId: leadExternalId })
    const externalId = named.others.length > 0 ? null : leadExternalId
    const lead = await findLeadBy(tx, account.id, { externalId, email })
    if (!lead) throw wrongField(leadExternalId ? 'leadExternalId' : 'email', 'unknown_lead_in_account')
    const { id: leadId } = lead
    const wanted = checked(LeadStatusChange, { ...change, status: change.status?.trim().toLowerCase() })
    // a repetition leaves it unchanged
    if (wanted.status !== lead.status) await changeLeadStatus(tx, by, account, leadId, wanted)
    return {
      type: 'lead',
      id: leadId,
      created: false,
      object: await presentLead(tx, { account, partnerId: null }, leadId),
      ...named,
    }
  },
}

/** Splits a whole name at its first space, unless the first or the last name is known. */
function withNames({ fullName, ...values }: MappedFields['values']): MappedFields['values'] {
  if (fullName === undefined || values.firstName || values.lastName) return values
  const [firstName = '', ...others] = String(fullName).trim().split(/\s+/)
  const [first, last] = [firstName.slice(0, LONGEST_NAME), others.join(' ').slice(0, LONGEST_NAME)]
  return { ...values, ...(first && { firstName: first }), ...(last && { lastName: last }) }
}

const LONGEST_NAME = 100

/**
 * Returns a warning if a sale that is already recorded has another amount. Refuses one with another email too: its ID is
 * not of one sale alone.
 */
function otherAmount(
  sale: Sale,
  { amount, email, currency = sale.currency }: z.output<typeof NewPushedSale>,
): string[] {
  if (amount === sale.amount && currency === sale.currency) return []
  if (email && sale.payerEmail && email.toLowerCase() !== sale.payerEmail.toLowerCase())
    throw wrongField('externalId', 'incoming_sale_of_another')
  const [before, now] = [moneyInWords(sale.amount ?? 0, sale.currency), moneyInWords(amount, currency ?? sale.currency)]
  return [`Already recorded with ${before}; this says ${now}.`]
}

/** Returns a warning if a sale that is already recorded has another day: it may be another payment of its order. */
function otherDay({ saleDate: before }: Sale, { saleDate: now }: z.output<typeof NewPushedSale>): string[] {
  // a shop may name its own day, or that of another time zone
  if (!now || Math.abs(daysBetween(before, now)) < 2) return []
  return [
    `Already recorded for ${before}; this says ${now}. If it’s another payment, map an ID that each payment has alone.`,
  ]
}

const texts = (values: MappedFields['values']): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([field, value]) => [field, String(value)]))

/** Refuses a sale of less than nothing: it is a refund. */
function refuseNegative({ amount, grossAmount }: { amount?: number; grossAmount?: number }) {
  if (amount !== undefined && amount < 0) throw wrongField('amount', 'incoming_sale_negative')
  if (grossAmount !== undefined && grossAmount < 0) throw wrongField('grossAmount', 'incoming_sale_negative')
}

/** Parses fields as numbers, also without a transform; absent ones are left out. */
function numbersIn<F extends string>(values: MappedFields['values'], ...fields: F[]): { [field in F]?: number } {
  const numbers: { [field in F]?: number } = {}
  for (const field of fields) {
    const value = values[field]
    if (value === undefined) continue
    const number = typeof value === 'number' ? value : /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : Number.NaN
    if (Number.isNaN(number)) throw wrongField(field, 'incoming_not_a_number')
    numbers[field] = number
  }
  return numbers
}

function checked<T>(schema: z.ZodType<T>, given: object): T {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw toRefusal(mistakesIn(result.error))
}
