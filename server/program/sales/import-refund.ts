import { createHash } from 'node:crypto'
import { moneyInWords, toProportion } from '#contract/money.ts'
import { paymentProviderNames } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { Refusal, refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type NamedPartner, namedPartner } from '../clicks/named-partner.ts'
import { type Settlement, settlePaid, undoSettlements } from '../commissions/settle-paid.ts'
import { saleCalled } from './known-sales.ts'
import { applyRefund, findReportingProvider } from './refund-sale.ts'
import { refuseFuture } from './sale-date.ts'
import { lockSale, type SaleRow } from './sale-state.ts'

/** A past refund as given in a file. */
export type ImportedRefund = {
  /** Names of the sale, the most reliable first. */
  names: string[]
  /** The refund's own id. */
  ownId: string | null
  partner: NamedPartner
  /** The refunded amount, net and with tax; zero means the whole rest. */
  amount: number
  grossAmount: number
  /** The row has only the amount with tax. */
  isTotal: boolean
  currency: string
  day: string
  /** Number among the partner’s identical rows. */
  nth: number
  /** True if the previous program settled the reversed commission. */
  settled: boolean
  /** The partners who have refunds of the sale in the file, with what it says of their part of this one. */
  refunders: Iterable<NamedPartner & { settled: boolean }>
}

export type RecordedRefund = { refundId: string; created: boolean; adjustments: Settlement[] }

/** Numbers of equal refunds that may be missing: earlier releases also numbered the rows of further partners. */
const MOST_SKIPPED = 20

/**
 * Records a refund from a row of a file, once however often the file is imported. Null if the sale does not exist.
 * Refuses: a sale of another partner or in another currency; more than is left of it.
 */
export async function importRefund(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { names, ownId, partner, amount, grossAmount, isTotal, currency, day, nth, settled, refunders }: ImportedRefund,
): Promise<RecordedRefund | null> {
  const at = await momentOf(tx, account, refuseFuture(account, tx.now, day) as string)
  const saleId = await saleCalled(tx, account.id, names, ['import'])
  if (!saleId) return null
  const { sale, refunds, entries } = await lockSale(tx, account.id, saleId)
  // equal ones by how many there are: the rows of the sale's partners may come in another order
  const ids = ownId
    ? [ownId]
    : Array.from({ length: refunds.length + MOST_SKIPPED }, (_, at) => `import ${hashOf([saleId, day, amount, at])}`)
  const equal = refunds.filter(({ kind, externalId }) => kind === 'refund' && ids.includes(externalId!))
  const known = equal[ownId ? 0 : nth]
  if (known) return { refundId: known.id, created: false, adjustments: [] }
  const partnerId = await namedPartner(tx, account.id, partner)
  const line = sale.credit?.line.map((one) => one.partnerId) ?? []
  const layer = partnerId === null || partnerId === sale.partnerId ? 0 : line.indexOf(partnerId)
  if (layer < 0) throw wrongField('partnerEmail', 'import_sale_of_another_partner')
  const left = sale.grossAmount - sale.refundedAmount
  // the sale's refund covers the commissions of all partners, and a provider that reports the sale reports its refunds
  const others = await idsOf(tx, account.id, partner, refunders)
  const settledOf = new Map<string | null, boolean>(others).set(partnerId, settled)
  const isCovered = [null, ...line].slice(0, layer && layer + 1).some((id) => settledOf.has(id))
  if (sale.status === 'void' || left === 0 || isCovered || (await findReportingProvider(tx, sale)))
    return { refundId: saleId, created: false, adjustments: [] }
  if (grossAmount > 0 && currency !== sale.currency)
    throw wrongField('currency', 'import_refund_in_other_currency', { currency: sale.currency.toUpperCase() })
  const whole = wholeOf(sale, layer)
  const isAll = grossAmount === 0 || (!isTotal && amount === whole) || grossAmount === sale.grossAmount
  // a sale of zero has nothing but tax and shipping to give back
  const refundedGross =
    isTotal || grossAmount > amount || sale.amount === 0 ? grossAmount : toProportion(sale.grossAmount, amount, whole)
  if (!isAll && refundedGross > left)
    throw wrongField('amount', 'refund_above_rest', { left: () => moneyInWords(left, sale.currency) })
  const refund = await applyRefund(tx, by, account, saleId, {
    kind: 'refund',
    externalId: ids.find((id) => equal.every(({ externalId }) => externalId !== id))!,
    amount: isAll ? left : refundedGross,
    status: 'succeeded',
    reason: 'Imported',
    at,
  })
  const adjustments: Settlement[] = []
  for (const partnerId of new Set(entries.map((entry) => entry.partnerId)))
    if (settledOf.get(partnerId) ?? settled) {
      const own = await settlePaid(tx, by, account, { saleIds: [saleId], partnerId, refundId: refund.id })
      adjustments.push(...(own.get(saleId) ?? []))
    }
  return { refundId: refund.id, created: true, adjustments }
}

/** Returns the amount that a partner's refund of the whole sale has: of a sale of commissions alone, their commission. */
function wholeOf({ amount, credit }: SaleRow, layer: number) {
  const { isWhole, commission, others = [] } = credit?.given ?? {}
  return (isWhole && (layer === 0 ? commission : others[layer - 1])) || amount
}

/** Returns the ids of the other partners that rows name, null if they name none; one by e-mail and by code is one. */
async function idsOf(
  tx: Transaction,
  accountId: string,
  own: NamedPartner,
  refunders: ImportedRefund['refunders'],
): Promise<[string | null, boolean][]> {
  const ids: [string | null, boolean][] = []
  for (const { settled, ...one } of refunders) {
    if (one.partnerEmail === own.partnerEmail && one.referralCode === own.referralCode) continue
    const id = await namedPartner(tx, accountId, one).catch((error) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
    if (id !== undefined) ids.push([id, settled])
  }
  return ids
}

/**
 * Undoes a refund entered from a file, with its settlement; its ID can be used again.
 * Refuses: `invalid_state` if any of it is in an approved payout, or a provider reports the sale by now, and so perhaps
 * this refund.
 */
export async function undoImportedRefund(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { refundId, adjustmentIds }: { refundId: string; adjustmentIds: string[] },
) {
  const refund = await tx.maybe<{ saleId: string; externalId: string; used: boolean }>`
    select r.sale_id, r.external_id, exists (
      select from commission_entries e join payout_entries b on b.account_id = ${account.id} and b.entry_id = e.id and b.live
      where e.account_id = ${account.id} and e.sale_id = r.sale_id and e.refund_id = r.id) as used
    from refunds r where r.account_id = ${account.id} and r.id = ${refundId} and r.external_id is not null`
  if (!refund) return
  if (refund.used) throw refusal('import_paid_from')
  const { saleId, externalId } = refund
  const { sale } = await lockSale(tx, account.id, saleId)
  // voiding the sale already removed it
  if (sale.status !== 'void') {
    const teller = await findReportingProvider(tx, sale)
    if (teller) throw refusal('import_told_by_provider', { provider: paymentProviderNames[teller] })
    await undoSettlements(tx, by, account, { saleId, adjustmentIds })
    await applyRefund(tx, by, account, saleId, {
      kind: 'refund',
      externalId,
      amount: 0,
      status: 'canceled',
      reason: 'Import undone',
      at: tx.now,
    })
  }
  await tx.run`update refunds set external_id = null where account_id = ${account.id} and id = ${refundId}`
}

const hashOf = (facts: unknown[]) => createHash('sha256').update(JSON.stringify(facts)).digest('base64url')

async function momentOf(tx: Transaction, { timeZone }: AccountFacts, day: string): Promise<Date> {
  const { at } = await tx.one<{ at: string }>`select ${day}::date::timestamp at time zone ${timeZone} as at`
  return new Date(at)
}
