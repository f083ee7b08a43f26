import { proportion } from '#contract/money.ts'
import { entry, type NewEntry, writeEntries } from '../commissions/entries.ts'
import type { Transaction } from '../database/pool.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { notFound } from '../refusal.ts'
import { count } from '../stats/count.ts'
import { figuresOf, takenBack } from './figures.ts'

export type SaleRow = {
  id: string
  accountId: string
  leadId: string | null
  partnerId: string | null
  blueprintId: string | null
  provider: string
  externalId: string | null
  customerId: string | null
  payerEmail: string | null
  amount: number
  grossAmount: number
  currency: string
  accountAmount: number | null
  accountCurrency: string
  saleDate: string
  subscriptionId: string | null
  refundedAmount: number
  status: 'completed' | 'partially-refunded' | 'refunded' | 'disputed' | 'charged-back' | 'void'
  disputed: boolean
  holdRule: string | null
  heldUntil: string | null
  /** False: a fraud rule refused its commission for good. */
  credited: boolean
  matchedBy: string | null
}

export type RefundRow = {
  id: string
  kind: 'refund' | 'dispute'
  externalId: string | null
  amount: number
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  reason: string | null
  at: string
  accountAmount: number
  countedOn: string | null
  restoredAmount: number
  restoredOn: string | null
}

type EntryRow = Pick<
  NewEntry,
  'id' | 'partnerId' | 'layer' | 'ratePpm' | 'baseAmount' | 'amount' | 'kind' | 'day' | 'refundId'
> & {
  availableAt: string
  /** It stands in an approved payout. */
  bound: boolean
}

/** A sale with all that follows from it. */
export type SaleState = { sale: SaleRow; refunds: RefundRow[]; entries: EntryRow[] }

/**
 * Locks a sale and reads it whole; before it its lead, and other leads the caller is going to need, because whoever
 * records a sale locks in this order too. Refuses: `not_found`, also for another account's.
 */
export async function lockSale(
  tx: Transaction,
  accountId: string,
  saleId: string,
  otherLeadIds: string[] = [],
): Promise<SaleState> {
  const known = await tx.maybe<{ leadId: string | null }>`
    select lead_id from sales where id = ${saleId} and account_id = ${accountId}`
  const leadIds = [known?.leadId ?? null, ...otherLeadIds].filter((id) => id !== null)
  if (leadIds.length > 0) await lockLeads(tx, leadIds)
  const sale = await tx.maybe<SaleRow>`
    select id, account_id, lead_id, partner_id, blueprint_id, provider, external_id, customer_id, payer_email, amount,
      gross_amount, currency, account_amount, account_currency, sale_date, subscription_id, refunded_amount, status,
      disputed, hold_rule, held_until, credited, matched_by
    from sales where id = ${saleId} and account_id = ${accountId} for update`
  if (!sale) throw notFound()
  const refunds = await tx.many<RefundRow>`
    select id, kind, external_id, amount, status, reason, at, account_amount, counted_on, restored_amount, restored_on
    from refunds where sale_id = ${saleId} order by at, id`
  const entries = await tx.many<EntryRow>`
    select e.id, e.partner_id, e.layer, e.rate_ppm, e.base_amount, e.amount, e.kind, e.day, e.refund_id, e.available_at,
      exists (select from payout_entries pe where pe.entry_id = e.id and pe.live) as bound
    from commission_entries e where e.sale_id = ${saleId} order by e.layer, e.created_at, e.id`
  return { sale, refunds, entries }
}

const counts = ({ kind, status }: RefundRow) =>
  kind === 'refund' ? status === 'pending' || status === 'succeeded' : status === 'succeeded'

/** Gross amount that is gone: counted refunds and lost disputes, never more than was paid. */
export const lostOf = (sale: SaleRow, refunds: RefundRow[]) =>
  Math.min(
    sale.grossAmount,
    refunds.filter(counts).reduce((sum, refund) => sum + refund.amount, 0),
  )

function statusOf(sale: SaleRow, refunds: RefundRow[], lost: number): SaleRow['status'] {
  if (sale.status === 'void') return 'void'
  const disputes = refunds.filter((refund) => refund.kind === 'dispute')
  if (disputes.some((dispute) => dispute.status === 'succeeded')) return 'charged-back'
  if (disputes.some((dispute) => dispute.status === 'pending')) return 'disputed'
  if (lost === 0) return 'completed'
  return lost >= sale.grossAmount ? 'refunded' : 'partially-refunded'
}

/** What a change of a sale's state is made for: it gives the correcting entries their source, day and reason. */
export type Cause = { refund: RefundRow | null; day: string; reason: string | null; actor: string | null }

/**
 * Brings entries and revenue to what the sale's refunds and disputes now say: per earned entry, reversed so far =
 * round half up (entry × lost / gross). What is missing is written as a reversal, what is too much as a restoration.
 * Changes `state` in memory; `saveState` writes it.
 */
export function settle(state: SaleState, cause: Cause, now: Date): { state: SaleState; written: NewEntry[] } {
  const { sale } = state
  const refunds = state.refunds.map((refund) => ({ ...refund }))
  const lost = sale.status === 'void' ? sale.grossAmount : lostOf(sale, refunds)
  const written = state.entries
    .filter((earned) => earned.kind === 'earned')
    .flatMap((earned) => correction(state, earned, lost, cause, now))
  const own = cause.refund && refunds.find((refund) => refund.id === cause.refund?.id)
  const refundedAmount = lostOf(sale, refunds)
  if (own && sale.accountAmount !== null) moveRevenue(sale, refunds, own, refundedAmount, cause.day)
  const disputed = refunds.some((refund) => refund.kind === 'dispute' && refund.status === 'pending')
  const next = { ...sale, refundedAmount, disputed, status: statusOf(sale, refunds, refundedAmount) }
  const entries = [...state.entries, ...written.map((row) => ({ ...row, availableAt: row.availableAt!, bound: false }))]
  return { state: { sale: next, refunds, entries }, written }
}

/** A sale of nothing has nothing to lose, whatever is reported. */
const lostOfAmount = (amount: number, lost: number, { grossAmount }: SaleRow) =>
  lost === 0 ? 0 : proportion(amount, lost, grossAmount)

function correction(state: SaleState, earned: EntryRow, lost: number, cause: Cause, now: Date): NewEntry[] {
  const corrected = state.entries
    .filter((other) => other.kind !== 'earned' && other.partnerId === earned.partnerId && other.layer === earned.layer)
    .reduce((sum, other) => sum + other.amount, 0)
  const amount = -lostOfAmount(earned.amount, lost, state.sale) - corrected
  if (amount === 0) return []
  return [
    entry({
      accountId: state.sale.accountId,
      saleId: state.sale.id,
      refundId: cause.refund?.id ?? null,
      partnerId: earned.partnerId,
      layer: earned.layer,
      ratePpm: earned.ratePpm,
      baseAmount: Math.sign(amount) * proportion(earned.baseAmount ?? 0, Math.abs(amount), earned.amount),
      amount,
      currency: state.sale.accountCurrency,
      kind: amount < 0 ? 'reversal' : 'restoration',
      clawback: earned.bound,
      availableAt: earned.bound ? now.toISOString() : earned.availableAt,
      day: cause.day,
      reason: cause.reason,
      actor: cause.actor,
    }),
  ]
}

function moveRevenue(sale: SaleRow, refunds: RefundRow[], own: RefundRow, lost: number, day: string) {
  const target = lostOfAmount(sale.accountAmount ?? 0, lost, sale)
  const taken = refunds.reduce((sum, refund) => sum + refund.accountAmount - refund.restoredAmount, 0)
  if (target > taken) {
    own.accountAmount += target - taken
    own.countedOn ??= day
  } else if (target < taken) {
    own.restoredAmount += taken - target
    own.restoredOn ??= day
  }
}

/** Writes the difference between two states of a sale: its row, its refunds' amounts, new entries, and the statistics. */
export async function saveState(
  tx: Transaction,
  before: SaleState,
  after: SaleState,
  written: NewEntry[],
): Promise<void> {
  const { sale } = after
  await tx.run`
    update sales set lead_id = ${sale.leadId}, partner_id = ${sale.partnerId}, blueprint_id = ${sale.blueprintId},
      account_amount = ${sale.accountAmount}, refunded_amount = ${sale.refundedAmount}, status = ${sale.status},
      disputed = ${sale.disputed}, matched_by = ${sale.matchedBy}
    where id = ${sale.id}`
  for (const refund of after.refunds)
    if (JSON.stringify(refund) !== JSON.stringify(before.refunds.find((old) => old.id === refund.id)))
      await tx.run`
        update refunds set account_amount = ${refund.accountAmount}, counted_on = ${refund.countedOn},
          restored_amount = ${refund.restoredAmount}, restored_on = ${refund.restoredOn}
        where id = ${refund.id}`
  await writeEntries(tx, written)
  await count(tx, [
    ...takenBack(figuresOf(before.sale, before.refunds, before.entries)),
    ...figuresOf(after.sale, after.refunds, after.entries),
  ])
}
