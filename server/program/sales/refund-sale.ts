import { exchange, moneyInWords } from '#contract/money.ts'
import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import { actorOf, type By, changesOf } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { markUnwon, markWon } from '../leads/lead-facts.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'
import { lockSale, type RefundRow, type SaleRow, saveState, settle } from './sale-state.ts'
import { tellSale } from './tell-sales.ts'

/** A refund or dispute as a provider, a push or a person reports it; gross, in the sale's currency. */
export type RefundReport = {
  kind: 'refund' | 'dispute'
  /** Unique per account, provider and kind: the same again is the same refund. */
  externalId: string | null
  amount: number
  /** A dispute is pending while open, succeeded when lost, failed when won. */
  status: RefundRow['status']
  /** A dispute that was lost and is won after all, where the provider tells both of the same dispute. */
  overturned?: boolean
  reason: string | null
  at: Date
}

/**
 * Failed, canceled and a closed dispute are final, but for one that is overturned; a refund that succeeded may still fail
 * at the bank.
 */
function mayBecome(known: RefundRow, { status, overturned = false }: RefundReport) {
  if (known.status === status || known.status === 'failed' || known.status === 'canceled') return false
  if (known.kind === 'dispute') return known.status === 'pending' || (overturned && status === 'failed')
  return status !== 'pending'
}

/**
 * Keeps what is reported of a refund or dispute and settles the sale with it: every layer loses its share, or gets it
 * back. Reports may come doubled and in any order. Answers the refund and whether it was new.
 */
export async function applyRefund(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  saleId: string,
  report: RefundReport,
): Promise<{ id: string; created: boolean }> {
  const before = await lockSale(tx, account.id, saleId)
  const known = before.refunds.find(
    (row) => report.externalId !== null && row.kind === report.kind && row.externalId === report.externalId,
  )
  if (known && !mayBecome(known, report)) return { id: known.id, created: false }
  const refund = known ? { ...known, status: report.status } : newRefund(report)
  if (known) await tx.run`update refunds set status = ${refund.status} where id = ${known.id}`
  else await insertRefund(tx, by, before.sale, refund)

  const refunds = [...before.refunds.filter((row) => row.id !== refund.id), refund]
  const day = dayIn(account.timeZone, known ? tx.now : earlier(report.at, tx.now))
  const cause = { refund, day, now: tx.now, reason: report.reason, actor: actorOf(by) }
  const { state: after, written } = settle({ ...before, refunds }, cause)
  await saveState(tx, { ...before, refunds }, after, written)
  await followLead(tx, by, before.sale.accountId, before.sale.leadId)
  await tellSale(tx, by, account.id, eventOf(refund), {
    id: saleId,
    changes: changesOf(
      { status: before.sale.status, refundedAmount: before.sale.refundedAmount },
      { status: after.sale.status, refundedAmount: after.sale.refundedAmount },
    ),
  })
  return { id: refund.id, created: !known }
}

type Worth = Pick<SaleRow, 'grossAmount' | 'currency' | 'accountAmount' | 'accountCurrency' | 'fxRate' | 'saleDate'>

/**
 * What is given back or contested, in the sale's currency. An amount of another currency is worth what it is in the
 * account's, on its own day where it is not the account's, at the sale's own rate. Null while a rate is not known.
 */
export async function inSaleCurrency(
  tx: Transaction,
  account: AccountFacts,
  saleId: string,
  { amount, currency, at }: { amount: number; currency: string; at: Date },
): Promise<number | null> {
  const sale = await tx.one<Worth>`
    select gross_amount, currency, account_amount, account_currency, fx_rate, sale_date from sales where id = ${saleId}`
  const { accountCurrency, fxRate } = sale
  if (currency === sale.currency) return amount
  if (sale.accountAmount === null || fxRate === null) return null
  const saleDate = dayIn(account.timeZone, earlier(at, tx.now))
  const [rate] = await ratesFor(tx, [{ accountId: account.id, currency, accountCurrency, saleDate }])
  const worth = rate ? inAccountCurrency(amount, currency, accountCurrency, rate) : null
  if (worth === null || sale.currency === accountCurrency) return worth
  const whole = inAccountCurrency(sale.grossAmount, sale.currency, accountCurrency, {
    rate: fxRate,
    date: sale.saleDate,
  })
  // all of it is all of it, whatever rounding there and back would leave
  return worth === whole ? sale.grossAmount : exchange(worth, accountCurrency, sale.currency, 1 / fxRate)
}

export const earlier = (a: Date, b: Date) => (a < b ? a : b)

const newRefund = ({ kind, externalId, amount, status, reason, at }: RefundReport): RefundRow => ({
  ...{ id: newId(), kind, externalId, amount, status, reason, at: at.toISOString() },
  ...{ accountAmount: 0, countedOn: null, restoredAmount: 0, restoredOn: null },
})

const insertRefund = (tx: Transaction, by: By, sale: SaleRow, refund: RefundRow) => tx.run`
  insert into refunds (id, account_id, sale_id, kind, provider, external_id, amount, status, reason, at, created_by,
    created_at)
  values (${refund.id}, ${sale.accountId}, ${sale.id}, ${refund.kind}, ${sale.provider}, ${refund.externalId},
    ${refund.amount}, ${refund.status}, ${refund.reason}, ${refund.at}, ${actorOf(by)}, ${tx.now})`

function eventOf({ kind, status }: RefundRow) {
  if (kind === 'refund') return 'sale.refunded'
  return status === 'pending' ? 'sale.disputed' : 'sale.dispute-closed'
}

/** A lead stays won while one of its sales is not wholly given back. */
export async function followLead(tx: Transaction, by: By, accountId: string, leadId: string | null) {
  if (!leadId) return
  const { won } = await tx.one<{ won: boolean }>`
    select exists (select from sales
      where account_id = ${accountId} and lead_id = ${leadId} and status <> 'void' and gross_amount > 0 and refunded_amount < gross_amount) as won`
  if (won) await markWon(tx, [{ accountId, leadId, by }])
  else await markUnwon(tx, [{ accountId, leadId, by }])
}

/**
 * Records a refund by hand, gross; all that is left where no amount is given.
 * Refuses: `invalid_state` for a provider's sale (refund it there), a void one, or one with nothing left; more than is left.
 */
export async function refundByHand(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  saleId: string,
  {
    amount,
    reason,
    externalId = null,
  }: { amount?: number | null | undefined; reason: string | null; externalId?: string | null },
) {
  const { sale, refunds } = await lockSale(tx, account.id, saleId)
  const known = refunds.find((row) => externalId !== null && row.kind === 'refund' && row.externalId === externalId)
  if (known) return { id: known.id, created: false }
  if (sale.provider in paymentProviderNames)
    throw refusal('sale_refunded_elsewhere', { provider: paymentProviderNames[sale.provider as PaymentProvider] })
  if (sale.status === 'void') throw refusal('void_sale_not_refunded')
  const left = sale.grossAmount - sale.refundedAmount
  if (left === 0) throw refusal('sale_already_refunded')
  if (amount && amount > left)
    throw wrongField('amount', 'refund_above_rest', { left: moneyInWords(left, sale.currency) })
  const report = {
    kind: 'refund',
    externalId,
    amount: amount ?? left,
    status: 'succeeded',
    reason,
    at: tx.now,
  } as const
  return applyRefund(tx, by, account, saleId, report)
}
