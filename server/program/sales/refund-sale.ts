import { isDeepStrictEqual } from 'node:util'
import { convertAmount, moneyInWords } from '#contract/money.ts'
import { isPaidElsewhere } from '#contract/paid-elsewhere.ts'
import { type PaymentProvider, paymentProviderNames, type RefundLine, sumLines } from '#contract/sales.ts'
import { type Author, diffFields, toActor } from '../../platform/author.ts'
import { violatesConstraint } from '../../platform/database/database-errors.ts'
import { newId } from '../../platform/database/ids.ts'
import { Overtaken, type Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { markUnwon, markWon } from '../leads/lead-facts.ts'
import { isRestingOnLost, payForLeads } from '../leads/lead-pay.ts'
import { isWinning } from '../leads/payment-time.ts'
import { insertCorrection, rescaleRefunds } from './corrections.ts'
import { emitSaleEvent } from './emit-sale-events.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'
import {
  type Cause,
  lockSale,
  type RefundRow,
  reducesSale,
  type SaleRow,
  type SaleState,
  saveState,
  settleSale,
} from './sale-state.ts'

/** A refund or dispute as reported by a provider, a push or a person; gross, in the sale's currency. */
export type RefundReport = {
  kind: 'refund' | 'dispute'
  /** Unique among the refunds, or the disputes, of its sale: a repetition is the same refund. */
  externalId: string | null
  amount: number
  /** A dispute is pending while open, succeeded when lost, failed when won. */
  status: RefundRow['status']
  /**
   * The dispute was decided and now is otherwise: an appeal was, or its provider reports it under another name. The refund
   * was canceled as its provider no longer told of it, and is told of again.
   */
  overturned?: boolean
  reason: string | null
  /** The lines of the sale that it names, gross; omitted or null if it names none, which keeps those known. */
  lines?: RefundLine[] | null | undefined
  at: Date
}

/**
 * Whether the status may change. A decided dispute is final, unless overturned; one that was canceled, since its
 * provider reported it under another name, is back once it has the former name again. Failed and canceled refunds are
 * final, but for one that is only told of again; a succeeded one may still fail at the bank. The amount follows the
 * report unless the refund is gone.
 */
function mayBecome(known: RefundRow, { status, overturned = false }: RefundReport) {
  if (known.status === status) return false
  if (known.kind === 'dispute') return known.status === 'pending' || known.status === 'canceled' || overturned
  if (known.status === 'canceled') return overturned
  return known.status === 'succeeded' ? status !== 'pending' : known.status === 'pending'
}

/**
 * Stores the report of a refund or dispute and settles the sale with it: every layer loses its share, or gets it back.
 * Reports may be repeated and come in any order. Returns the refund and whether it was new.
 * Refuses: a refund of a pushed sale with the external id of another one's.
 */
export async function applyRefund(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  saleId: string,
  report: RefundReport,
): Promise<Pick<RefundRow, 'id' | 'status' | 'amount'> & { created: boolean }> {
  const before = await lockSale(tx, account.id, saleId)
  const known = before.refunds.find(
    (row) => report.externalId !== null && row.kind === report.kind && row.externalId === report.externalId,
  )
  const refund = known ? mergeReport(known, report) : newRefund(report)
  const isCorrected = known && (refund.amount !== known.amount || !isDeepStrictEqual(refund.lines, known.lines))
  if (known && refund.status === known.status && !isCorrected) return { ...known, created: false }
  if (known)
    await tx.run`
      update refunds set status = ${refund.status}, amount = ${refund.amount}, lines = ${linesOf(refund)}::jsonb
      where account_id = ${account.id} and id = ${known.id}`
  else await insertRefund(tx, by, before.sale, refund)

  const refunds = [...before.refunds.filter((row) => row.id !== refund.id), refund]
  // one that took back its share and returned it may do each only once by itself
  const isAgain = known && known.restoredOn !== null && reducesSale(known) !== reducesSale(refund)
  const { state: after, written } =
    known && (isAgain || (isCorrected && reducesSale(known)))
      ? await correctRefund(tx, by, account, { before, refunds, known, refund })
      : settleSale({ ...before, refunds }, causeOf(tx, by, account, refund, report, known !== undefined))
  await saveState(tx, { ...before, refunds }, after, written)
  await followLead(tx, by, before.sale.accountId, before.sale.leadId)
  await emitSaleEvent(tx, by, account.id, eventOf(refund), {
    id: saleId,
    changes: diffFields(
      { status: before.sale.status, refundedAmount: before.sale.refundedAmount },
      { status: after.sale.status, refundedAmount: after.sale.refundedAmount },
    ),
  })
  return { ...refund, created: !known }
}

const linesOf = ({ lines }: RefundRow) => lines && JSON.stringify(lines)

/**
 * Merges a refund with its latest report; the amount and lines of a failed one are ignored, and lines known before are
 * dropped if the amount is now less.
 */
function mergeReport(known: RefundRow, report: RefundReport): RefundRow {
  const status = mayBecome(known, report) ? report.status : known.status
  const isGone = status === 'failed' || status === 'canceled'
  if (isGone) return { ...known, status }
  const { amount } = report
  const lines = report.lines?.length ? report.lines : known.lines
  return { ...known, status, amount, lines: lines && sumLines(lines) <= amount ? lines : null }
}

function causeOf(
  { now }: Transaction,
  by: Author,
  account: AccountFacts,
  refund: RefundRow,
  { at, reason }: RefundReport,
  isKnown: boolean,
): Cause {
  const day = dayIn(account.timeZone, isKnown ? now : earlierDate(at, now))
  return { refund, day, now, reason, actor: toActor(by) }
}

/** Changes a refund's effect to its new amount or status, by entries whose cause is a correction of the sale. */
async function correctRefund(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { before, refunds, known, refund }: { before: SaleState; refunds: RefundRow[]; known: RefundRow; refund: RefundRow },
) {
  const { sale } = before
  const words = [known, refund].map(({ amount }) => moneyInWords(amount, sale.currency))
  const same = reducesSale(known) === reducesSale(refund) ? 'lines' : 'decided again'
  const change = known.amount === refund.amount ? same : words.join(' became ')
  const reason = `${refund.kind === 'refund' ? 'Refund' : 'Dispute'} corrected: ${change}`
  const actor = toActor(by)
  const correctionId = newId()
  await insertCorrection(tx, { id: correctionId, before: sale, after: sale, reason, actor })
  const cause = { refund: null, correctionId, day: sale.saleDate, now: tx.now, reason, actor }
  return settleSale({ ...before, refunds: rescaleRefunds(sale, refunds, account.timeZone) }, cause)
}

type Worth = Pick<SaleRow, 'grossAmount' | 'currency' | 'accountAmount' | 'accountCurrency' | 'fxRate' | 'saleDate'>

/**
 * Converts a refunded or contested amount to the sale's currency: one in another currency to the account's, at the rate
 * of its own day, and from there at the sale's own rate. Null without a rate.
 */
export async function inSaleCurrency(
  tx: Transaction,
  account: AccountFacts,
  saleId: string,
  { amount, currency, at }: { amount: number; currency: string; at: Date },
): Promise<number | null> {
  const sale = await tx.one<Worth>`
    select gross_amount, currency, account_amount, account_currency, fx_rate, sale_date from sales
    where account_id = ${account.id} and id = ${saleId}`
  const { accountCurrency, fxRate } = sale
  if (currency === sale.currency) return amount
  if (sale.accountAmount === null || fxRate === null) return null
  const saleDate = dayIn(account.timeZone, earlierDate(at, tx.now))
  const [rate] = await ratesFor(tx, [{ accountId: account.id, currency, accountCurrency, saleDate }])
  const worth = rate ? inAccountCurrency(amount, currency, accountCurrency, rate) : null
  if (worth === null || sale.currency === accountCurrency) return worth
  const whole = inAccountCurrency(sale.grossAmount, sale.currency, accountCurrency, {
    rate: fxRate,
    date: sale.saleDate,
  })
  // a complete refund stays complete despite rounding there and back
  return worth === whole ? sale.grossAmount : convertAmount(worth, accountCurrency, sale.currency, 1 / fxRate)
}

export const earlierDate = (a: Date, b: Date) => (a < b ? a : b)

const newRefund = ({ kind, externalId, amount, status, reason, lines, at }: RefundReport): RefundRow => ({
  id: newId(),
  kind,
  externalId,
  amount,
  status,
  reason,
  at: at.toISOString(),
  lines: lines?.length ? lines : null,
  accountAmount: 0,
  countedOn: null,
  restoredAmount: 0,
  restoredOn: null,
})

async function insertRefund(tx: Transaction, by: Author, sale: SaleRow, refund: RefundRow) {
  if (sale.provider === 'api' && refund.kind === 'refund') await refuseTaken(tx, sale, refund)
  await tx.run`
  insert into refunds (id, account_id, sale_id, kind, provider, external_id, amount, status, reason, lines, at, created_by,
    created_at)
  values (${refund.id}, ${sale.accountId}, ${sale.id}, ${refund.kind}, ${sale.provider}, ${refund.externalId},
    ${refund.amount}, ${refund.status}, ${refund.reason}, ${linesOf(refund)}::jsonb, ${refund.at}, ${toActor(by)}, ${tx.now})`.catch(
    (error) => {
      throw violatesConstraint(error, 'refunds_pushed')
        ? new Overtaken('the same refund was recorded meanwhile')
        : error
    },
  )
}

/** Refuses: the external id of another refund of a pushed sale. */
async function refuseTaken(tx: Transaction, { accountId }: SaleRow, { externalId }: RefundRow) {
  const other = await tx.maybe<{ saleId: string }>`
    select sale_id from refunds
    where account_id = ${accountId} and provider = 'api' and kind = 'refund' and external_id = ${externalId}`
  if (other)
    throw refusal('refund_external_id_taken', {
      fields: { externalId: 'This external ID is taken' },
      details: { saleId: other.saleId },
    })
}

function eventOf({ kind, status }: RefundRow) {
  if (kind === 'refund') return 'sale.refunded'
  return status === 'pending' ? 'sale.disputed' : 'sale.dispute-closed'
}

/**
 * Updates the lead's status: it is won while one of its sales above zero is not completely refunded. Pay for the customer
 * follows to the sale that keeps them.
 */
export async function followLead(tx: Transaction, by: Author, accountId: string, leadId: string | null) {
  if (!leadId) return
  const { won, restsOnLost } = await tx.one<{ won: boolean; restsOnLost: boolean }>`
    select exists (select from sales
      where account_id = ${accountId} and lead_id = ${leadId} and ${isWinning}) as won,
      ${isRestingOnLost(accountId, leadId)} as rests_on_lost`
  if (!won) return markUnwon(tx, [{ accountId, leadId, by }])
  await markWon(tx, [{ accountId, leadId, by }])
  if (restsOnLost) await payForLeads(tx, [{ accountId, id: leadId, was: 'won', by }])
}

/** Returns the provider that reports a sale, whatever its source. */
export async function findReportingProvider(tx: Transaction, { accountId, provider, toldByShopId }: SaleRow) {
  if (provider in paymentProviderNames) return provider as PaymentProvider
  if (!toldByShopId) return undefined
  const shop = await tx.maybe<{ provider: PaymentProvider }>`
    select provider from provider_shops where account_id = ${accountId} and id = ${toldByShopId}`
  return shop?.provider
}

/**
 * Records a refund by hand, gross; without an amount that of its lines, or the whole rest.
 * Refuses: `invalid_state` for a provider's sale (refund it there) unless its money went elsewhere, a void one, or one with nothing left; more than is
 * left; lines that the sale does not have, or that exceed the amount.
 */
export async function refundByHand(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  saleId: string,
  {
    amount: given,
    lines,
    reason,
    externalId = null,
    inAll,
  }: {
    amount?: number | null | undefined
    lines?: RefundLine[] | null | undefined
    reason: string | null
    externalId?: string | null
    /** All that was refunded so far, instead of the amount. */
    inAll?: number | undefined
  },
) {
  const { sale, refunds } = await lockSale(tx, account.id, saleId)
  const known = refunds.find((row) => externalId !== null && row.kind === 'refund' && row.externalId === externalId)
  if (known) return { id: known.id, created: false }
  const teller = isPaidElsewhere(sale) ? undefined : await findReportingProvider(tx, sale)
  if (teller) throw refusal('sale_refunded_elsewhere', { provider: paymentProviderNames[teller] })
  if (sale.status === 'void') throw refusal('void_sale_not_refunded')
  const left = sale.grossAmount - sale.refundedAmount
  const unknown = inAll === undefined ? left : inAll - sale.refundedAmount
  if (left === 0 || unknown <= 0) throw refusal('sale_already_refunded')
  const amount = given ?? (inAll !== undefined ? unknown : lines?.length ? sumLines(lines) : left)
  if (amount > left) throw wrongField('amount', 'refund_above_rest', { left: () => moneyInWords(left, sale.currency) })
  if (lines) refuseLines(sale, amount, lines)
  const report = {
    kind: 'refund',
    externalId,
    amount,
    lines,
    status: 'succeeded',
    reason,
    at: tx.now,
  } as const
  return applyRefund(tx, by, account, saleId, report)
}

function refuseLines(sale: SaleRow, amount: number, lines: RefundLine[]) {
  const unknown = lines.findIndex((line) => !sale.lines?.some(({ id }) => id === line.id))
  if (unknown >= 0) throw wrongField(`lines.${unknown}.id`, 'unknown_line', { line: lines[unknown]!.id })
  if (sumLines(lines) > amount) throw wrongField('lines', 'refund_lines_above_refund')
}
