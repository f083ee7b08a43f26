import type { RefundLine, SaleLine } from '#contract/sales.ts'
import type { Terms } from '#contract/terms.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { notFound } from '../../platform/refusal.ts'
import { correctingEntries, type EntryCause, type EntryRow } from '../commissions/correct-entries.ts'
import { type NewEntry, writeEntries } from '../commissions/entries.ts'
import { saveVoidedSales } from '../commissions/voided.ts'
import { holdCaps, storeCredits } from '../leads/caps.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { count } from '../stats/count.ts'
import type { Used } from '../terms/caps.ts'
import { layersAfter, lostShare, type SaleTerms, underCaps } from '../terms/plan.ts'
import { plannedColumns } from '../terms/planned-sales.ts'
import type { LatestClick, SaleVisit } from './latest-click.ts'
import { earnedByReferrer, negateChanges, toFigures } from './sale-figures.ts'
import { lockSubscriptions } from './subscriptions.ts'

export type SaleRow = {
  id: string
  accountId: string
  leadId: string | null
  /** Its lead's person was erased. */
  isErased: boolean
  /** From a provider's test mode: credits no partner. */
  isTest: boolean
  partnerId: string | null
  blueprintId: string | null
  linkId: string | null
  /** When its customer got its partner; null without one, and for a sale of an earlier release. */
  referredAt: string | null
  provider: string
  /** The provider's account or the incoming webhook that first reported it; null for other sources. */
  shopId: string | null
  /** The provider's account that reports it, if it first came from another source. */
  toldByShopId: string | null
  externalId: string | null
  customerId: string | null
  payerEmail: string | null
  /** Keyed hash of the card, if its provider reports one. */
  cardHash: Buffer | null
  amount: number
  taxAmount: number
  grossAmount: number
  currency: string
  accountAmount: number | null
  accountCurrency: string
  fxRate: number | null
  saleDate: string
  subscriptionId: string | null
  refundedAmount: number
  status: 'completed' | 'partially-refunded' | 'refunded' | 'disputed' | 'charged-back' | 'void'
  disputed: boolean
  holdRule: string | null
  heldUntil: string | null
  /** False if a fraud rule refused its commission for good. */
  credited: boolean
  /** Its terms; null without a partner, and for a sale of zero. */
  credit: SaleTerms | null
  /** The terms themselves, unless the credit has them as percentages. */
  terms: Terms | null
  metadata: Record<string, string>
  /** Its place among its customer's credited sales and the day of the first, if its terms depend on it. */
  customerPlace: number | null
  customerSince: string | null
  recurringMonths: number | null
  /** Its partner's commission from `amount` as recorded by the previous program. */
  givenCommission: number | null
  /** Beyond the recurring limit, so it earns nothing. */
  pastLimit: boolean
  matchedBy: string | null
  /** Set if it credits another partner than its customer's, with the click it came by. */
  latestClick: LatestClick['latestClick']
  clickId: string | null
  visit: SaleVisit | null
  /** Net, in its currency; null if its source reports none. */
  lines: SaleLine[] | null
  /** The payment's country, two capitals. */
  country: string | null
  /** As entered by the buyer. */
  promotionCodes: string[] | null
  /** One of them was some partner's when the sale was reported. */
  partnerCode: boolean
  createdAt: string
}

export type RefundRow = {
  id: string
  kind: 'refund' | 'dispute'
  externalId: string | null
  amount: number
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  reason: string | null
  /** Gross, in the sale's currency; null if the refund names none. */
  lines: RefundLine[] | null
  at: string
  accountAmount: number
  countedOn: string | null
  restoredAmount: number
  restoredOn: string | null
}

/** A sale with its refunds and entries, and what referrers have earned under the caps of its terms. */
export type SaleState = { sale: SaleRow; refunds: RefundRow[]; entries: EntryRow[]; used?: Used | undefined }

/**
 * Locks sales in the order of their ids and reads them completely; before them their leads, other leads the caller
 * needs, and their subscriptions, since recording a sale locks in this order too. Other accounts' sales are left out.
 */
export async function lockSales(
  tx: Transaction,
  accountId: string,
  saleIds: string[],
  otherLeadIds: string[] = [],
): Promise<SaleState[]> {
  const known = await tx.many<{ leadId: string | null; subscriptionId: string | null }>`
    select lead_id, subscription_id from sales where id = any(${saleIds}::uuid[]) and account_id = ${accountId}`
  const leadIds = [...known.map((sale) => sale.leadId), ...otherLeadIds].filter((id) => id !== null)
  if (leadIds.length > 0) await lockLeads(tx, [accountId], [...new Set(leadIds)])
  await lockSubscriptions(
    tx,
    known.map(({ subscriptionId }) => ({ accountId, subscriptionId })),
  )
  return readLocked(tx, accountId, saleIds)
}

/** Locks and reads one sale, like `lockSales`. Refuses: `not_found`, also for another account's. */
export async function lockSale(
  tx: Transaction,
  accountId: string,
  saleId: string,
  otherLeadIds: string[] = [],
): Promise<SaleState> {
  const [state] = await lockSales(tx, accountId, [saleId], otherLeadIds)
  if (!state) throw notFound()
  return state
}

/** Locks and reads sales for a caller who has locked their leads and subscriptions; and the referrers of those under caps. */
export async function readLocked(tx: Transaction, accountId: string, saleIds: string[]): Promise<SaleState[]> {
  const sales = await tx.many<SaleRow>`
    select id, lead_id, is_test, partner_id, blueprint_id, link_id, provider, shop_id, told_by_shop_id, external_id, customer_id, payer_email, card_hash,
      exists (select from leads l where l.account_id = ${accountId} and l.id = coalesce(t.lead_id, t.test_lead_id)
        and l.erased_at is not null) as is_erased,
      tax_amount, currency, account_currency, fx_rate, subscription_id,
      refunded_amount, status, disputed, hold_rule, held_until, credited, recurring_months, promotion_codes,
      given_commission, past_limit, matched_by, latest_click, click_id, visit, created_at, ${plannedColumns(sql`${accountId}::uuid`)}
    from sales t where id = any(${saleIds}::uuid[]) and account_id = ${accountId} order by id for update`
  if (sales.length === 0) return []
  const used = await holdCaps(tx, sales)
  const ids = sales.map((sale) => sale.id)
  const refunds = await tx.many<RefundRow & { saleId: string }>`
    select id, sale_id, kind, external_id, amount, status, reason, lines, at, account_amount, counted_on, restored_amount, restored_on
    from refunds where account_id = ${accountId} and sale_id = any(${ids}::uuid[]) order by at, id`
  const entries = await tx.many<EntryRow & { saleId: string }>`
    select e.id, e.sale_id, e.partner_id, e.layer, e.rate_ppm, e.base_amount, e.amount, e.kind, e.day, e.refund_id, e.limit_sale_id, e.correction_id,
      e.available_at, exists (select from payout_entries pe where pe.account_id = ${accountId} and pe.entry_id = e.id and pe.live) as bound
    from commission_entries e where e.account_id = ${accountId} and e.sale_id = any(${ids}::uuid[]) order by e.layer, e.id`
  const refundsOf = Map.groupBy(refunds, (refund) => refund.saleId)
  const entriesOf = Map.groupBy(entries, (entry) => entry.saleId)
  return sales.map((sale) => ({
    sale,
    refunds: (refundsOf.get(sale.id) ?? []).map(({ saleId: _, ...refund }) => refund),
    entries: (entriesOf.get(sale.id) ?? []).map(({ saleId: _, ...entry }) => entry),
    used,
  }))
}

/** Whether it reduces its sale. */
export const reducesSale = ({ kind, status }: RefundRow) =>
  kind === 'refund' ? status === 'pending' || status === 'succeeded' : status === 'succeeded'

/** Returns the gross amount lost: counted refunds and lost disputes, at most the amount paid. */
export const lostAmount = (sale: SaleRow, refunds: RefundRow[]) =>
  Math.min(
    sale.grossAmount,
    refunds.filter(reducesSale).reduce((sum, refund) => sum + refund.amount, 0),
  )

function statusOf(sale: SaleRow, refunds: RefundRow[], lost: number): SaleRow['status'] {
  if (sale.status === 'void') return 'void'
  const disputes = refunds.filter((refund) => refund.kind === 'dispute')
  if (disputes.some((dispute) => dispute.status === 'succeeded')) return 'charged-back'
  if (disputes.some((dispute) => dispute.status === 'pending')) return 'disputed'
  if (lost === 0) return 'completed'
  return lost >= sale.grossAmount ? 'refunded' : 'partially-refunded'
}

/** The cause of a change of a sale's state. */
export type Cause = EntryCause & { refund: RefundRow | null }

/**
 * Adjusts entries and revenue to the sale's amount, refunds and disputes. Changes `state` in memory; `saveState` writes
 * it.
 */
export function settleSale(state: SaleState, cause: Cause): { state: SaleState; written: NewEntry[] } {
  const sale = withCap(state)
  const refunds = state.refunds.map((refund) => ({ ...refund }))
  const written = correctingEntries(sale, state.entries, layersNow(sale, refunds), cause)
  const own = cause.refund && refunds.find((refund) => refund.id === cause.refund?.id)
  const refundedAmount = lostAmount(sale, refunds)
  if (own && sale.accountAmount !== null) moveRevenue({ ...state, refunds }, own, refundedAmount, cause.day)
  if (own) dateOf(own, written, cause.day)
  const disputed = refunds.some((refund) => refund.kind === 'dispute' && refund.status === 'pending')
  const next = { ...sale, refundedAmount, disputed, status: statusOf(sale, refunds, refundedAmount) }
  const entries = [...state.entries, ...written.map((row) => ({ ...row, availableAt: row.availableAt!, bound: false }))]
  state.used?.add(sale, earnedByReferrer(written))
  return { state: { ...state, sale: next, refunds, entries }, written }
}

/** Returns the sale with the cap of its referrer; one that earns nothing uses up none of it. */
export function withCap({ sale, entries, used }: SaleState): SaleRow {
  if (!used || sale.status === 'void' || sale.pastLimit || !sale.credited || !sale.accountAmount) return sale
  const planned = { ...sale, accountAmount: sale.accountAmount }
  return { ...sale, credit: underCaps(planned, used, earnedByReferrer(entries)) }
}

/** Returns the layers of a credited sale, each with its present commission. */
function layersNow(sale: SaleRow, refunds: RefundRow[]) {
  if (!sale.credit) return []
  const lost = sale.status === 'void' || sale.pastLimit ? sale.grossAmount : lostAmount(sale, refunds)
  return layersAfter(sale, sale.credit, sale.terms, { refunds: refunds.filter(reducesSale), lost })
}

function moveRevenue({ sale, refunds }: SaleState, own: RefundRow, lost: number, day: string) {
  const target = lostShare(sale.accountAmount ?? 0, lost, sale.grossAmount)
  const taken = refunds.reduce((sum, refund) => sum + refund.accountAmount - refund.restoredAmount, 0)
  if (target > taken) {
    own.accountAmount += target - taken
    own.countedOn ??= day
  } else if (target < taken) {
    own.restoredAmount += taken - target
    own.restoredOn ??= day
  }
}

/** Counts the effect of a refund on its day, also if rounding moves commission but no revenue. */
function dateOf(own: RefundRow, written: NewEntry[], day: string) {
  if (written.some(({ kind }) => kind === 'reversal')) own.countedOn ??= day
  if (written.some(({ kind }) => kind !== 'reversal')) own.restoredOn ??= day
}

/** The result for a sale: its states before and after, and the entries between them. */
export type SettledSale = { before: SaleState; after: SaleState; written: NewEntry[] }

/** Writes the change of one sale, like `saveStates`. */
export const saveState = (
  tx: Transaction,
  before: SaleState,
  after: SaleState,
  written: NewEntry[],
): Promise<boolean> => saveStates(tx, [{ before, after, written }])

/**
 * Writes the changes of sales, however many, in a fixed number of statements: their rows, their refunds' amounts, new
 * entries, and the statistics. Returns the result of `count`.
 */
export async function saveStates(tx: Transaction, settled: SettledSale[]): Promise<boolean> {
  const sales = settled.map(({ after }) => after.sale)
  const column = <K extends keyof SaleRow>(key: K) => sales.map((sale) => sale[key])
  await tx.run`
    update sales s set lead_id = n.lead_id, partner_id = n.partner_id, blueprint_id = n.blueprint_id,
      link_id = n.link_id, referred_at = n.referred_at,
      amount = n.amount, tax_amount = n.tax_amount, gross_amount = n.gross_amount,
      account_amount = n.account_amount, refunded_amount = n.refunded_amount, status = n.status, disputed = n.disputed,
      given_commission = n.given_commission, past_limit = n.past_limit, matched_by = n.matched_by,
      latest_click = n.latest_click, click_id = n.click_id, visit = n.visit, lines = n.lines,
      country = n.country, customer_place = n.customer_place, customer_since = n.customer_since
    from unnest(${column('id')}::uuid[], ${column('accountId')}::uuid[], ${column('leadId')}::uuid[],
      ${column('partnerId')}::uuid[], ${column('blueprintId')}::uuid[], ${column('linkId')}::uuid[],
      ${column('referredAt')}::timestamptz[], ${column('amount')}::bigint[], ${column('taxAmount')}::bigint[],
      ${column('grossAmount')}::bigint[], ${column('accountAmount')}::bigint[], ${column('refundedAmount')}::bigint[],
      ${column('status')}::text[], ${column('disputed')}::boolean[], ${column('givenCommission')}::bigint[],
      ${column('pastLimit')}::boolean[],
      ${column('matchedBy')}::text[], ${sales.map(({ lines }) => lines && JSON.stringify(lines))}::jsonb[],
      ${column('country')}::text[], ${column('customerPlace')}::integer[], ${column('customerSince')}::date[],
      ${column('latestClick')}::text[], ${column('clickId')}::uuid[],
      ${sales.map(({ visit }) => visit && JSON.stringify(visit))}::jsonb[])
      as n (id, account_id, lead_id, partner_id, blueprint_id, link_id, referred_at, amount, tax_amount, gross_amount,
        account_amount, refunded_amount, status, disputed, given_commission, past_limit, matched_by, lines, country,
        customer_place, customer_since, latest_click, click_id, visit)
    where s.account_id = ${eachAccount(column('accountId'), sql`n.account_id`)} and s.id = n.id`
  const capped = settled.filter(({ before, after }) => after.sale.credit?.cap !== before.sale.credit?.cap)
  if (capped.length > 0)
    await storeCredits(
      tx,
      capped.map(({ after }) => after.sale),
    )
  await saveRefunds(tx, column('accountId'), settled.flatMap(changedRefunds))
  await writeEntries(
    tx,
    settled.flatMap(({ written }) => written),
  )
  await saveVoidedSales(tx, settled.flatMap(changedCommissions))
  return count(
    tx,
    settled.flatMap(({ before, after }) => [
      ...negateChanges(toFigures(before.sale, before.refunds, before.entries)),
      ...toFigures(after.sale, after.refunds, after.entries),
    ]),
  )
}

const changedCommissions = ({ before, after, written }: SettledSale) =>
  [...new Map(written.map(({ partnerId, actor }) => [partnerId, actor]))].map(([partnerId, actor]) => {
    const { id: saleId, accountId } = after.sale
    return {
      accountId,
      saleId,
      partnerId,
      was: commissionOf(before, partnerId),
      becomes: commissionOf(after, partnerId),
      actor,
    }
  })

const commissionOf = ({ entries }: SaleState, partnerId: string) =>
  entries.reduce((sum, entry) => (entry.partnerId === partnerId ? sum + entry.amount : sum), 0)

const changedRefunds = ({ before, after }: SettledSale) =>
  after.refunds.filter(
    (refund) => JSON.stringify(refund) !== JSON.stringify(before.refunds.find((old) => old.id === refund.id)),
  )

async function saveRefunds(tx: Transaction, accountIds: string[], refunds: RefundRow[]) {
  if (refunds.length === 0) return
  const column = <K extends keyof RefundRow>(key: K) => refunds.map((refund) => refund[key])
  await tx.run`
    update refunds r set account_amount = n.account_amount, counted_on = n.counted_on,
      restored_amount = n.restored_amount, restored_on = n.restored_on
    from unnest(${column('id')}::uuid[], ${column('accountAmount')}::bigint[], ${column('countedOn')}::date[],
      ${column('restoredAmount')}::bigint[], ${column('restoredOn')}::date[])
      as n (id, account_amount, counted_on, restored_amount, restored_on)
    where r.account_id = any(${[...new Set(accountIds)]}::uuid[]) and r.id = n.id`
}
