import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { deleteLead } from '../leads/delete-lead.ts'
import { voidSale } from './change-sale.ts'
import { forgetKeys } from './imported-keys.ts'

const PAID_BEFORE = 'Paid before the import'

/** An adjustment that subtracted an amount paid elsewhere from a balance, or restored it. */
export type Settlement = { id: string; amount: number }

/** The paid part of sales: all of them, one partner's commission on one, or the reversal by a refund of one. */
type Paid = { saleIds: string[]; partnerId?: string | null; refundId?: string | null }

/**
 * Subtracts these sales' earnings from the balances of partners who were paid before the import, on their due date
 * (docs/decisions/0013-what-others-paid.md). Returns the adjustments by sale.
 */
export async function settlePaid(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  { saleIds, partnerId = null, refundId = null }: Paid,
): Promise<Map<string, Settlement[]>> {
  const earned = await tx.many<{ saleId: string; partnerId: string; amount: number; availableAt: string }>`
    select sale_id, partner_id, sum(amount)::bigint as amount, available_at from commission_entries
    where account_id = ${account.id} and sale_id = any(${saleIds}::uuid[])
      and (${partnerId}::uuid is null or partner_id = ${partnerId}) and (${refundId}::uuid is null or refund_id = ${refundId})
    group by sale_id, partner_id, available_at having sum(amount) <> 0 order by sale_id, partner_id, available_at`
  const ids = await adjustAll(
    tx,
    by,
    account,
    earned.map(({ saleId: settlesSaleId, partnerId, amount, availableAt }) => ({
      settlesSaleId,
      availableAt,
      partnerId,
      amount: -amount,
      reason: PAID_BEFORE,
    })),
  )
  const bySale = Map.groupBy(earned.keys(), (at) => earned[at]!.saleId)
  return new Map(
    [...bySale].map(([saleId, places]) => [
      saleId,
      places.map((at) => ({ id: ids[at]!, amount: -earned[at]!.amount })),
    ]),
  )
}

/**
 * Undoes the settlements of a sale, or of one partner's commission on it; or only these. Earlier undoing counts against
 * it. Refuses: `invalid_state` if any of it is in an approved payout.
 */
export async function takeBackSettlements(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  {
    saleId,
    partnerId = null,
    adjustmentIds = null,
  }: { saleId: string; partnerId?: string | null; adjustmentIds?: string[] | null },
) {
  const settled = await tx.many<{ partnerId: string; amount: number; availableAt: string; used: boolean }>`
    select e.partner_id, sum(e.amount)::bigint as amount, e.available_at, bool_or(exists (select from payout_entries b
      where b.account_id = e.account_id and b.entry_id = e.id and b.live)) as used
    from commission_entries e
    where e.account_id = ${account.id} and e.settles_sale_id = ${saleId}
      and (${partnerId}::uuid is null or e.partner_id = ${partnerId})
      and (${adjustmentIds}::uuid[] is null or e.id = any(${adjustmentIds}::uuid[]))
    group by e.partner_id, e.available_at having sum(e.amount) <> 0 order by e.partner_id, e.available_at`
  if (settled.some(({ used }) => used)) throw refusal('import_paid_from')
  await adjustAll(
    tx,
    by,
    account,
    settled.map(({ partnerId, amount, availableAt }) => ({
      settlesSaleId: saleId,
      availableAt,
      partnerId,
      amount: -amount,
      reason: 'Import undone',
    })),
  )
}

/**
 * Undoes a sale entered from a file, with its settlement. Its external ID is free again, for a corrected file, and
 * stays in the reason.
 * Refuses: `invalid_state` if any of it is in an approved payout, or a provider reports the sale by now.
 */
export async function takeBackSale(tx: Transaction, by: By, account: AccountFacts, saleId: string) {
  const sale = await tx.maybe<{ status: string; externalId: string | null; toldBy: PaymentProvider | null }>`
    select s.status, s.external_id, h.provider as told_by
    from sales s left join provider_shops h on h.account_id = s.account_id and h.id = s.told_by_shop_id
    where s.id = ${saleId} and s.account_id = ${account.id}`
  if (sale?.toldBy) throw refusal('import_told_by_provider', { provider: paymentProviderNames[sale.toldBy] })
  const { used } = await tx.one<{ used: boolean }>`
    select exists (
      select from commission_entries e join payout_entries b on b.account_id = e.account_id and b.entry_id = e.id and b.live
      where e.account_id = ${account.id} and e.sale_id = ${saleId}) as used`
  if (used) throw refusal('import_paid_from')
  await takeBackSettlements(tx, by, account, { saleId })
  if (sale && sale.status !== 'void') {
    const was = sale.externalId ? `. Its external ID was ${sale.externalId}` : ''
    await voidSale(tx, by, account, saleId, `Import undone${was}`)
  }
  await tx.run`update sales set external_id = null where id = ${saleId} and account_id = ${account.id}`
  await forgetKeys(tx, account.id, saleId)
}

/** Deletes a lead created by a file's sale. Refuses: `in_use` if it has other valid sales. */
export async function takeBackMadeLead(tx: Transaction, by: By, account: AccountFacts, leadId: string) {
  await tx.run`
    update sales set lead_id = null where account_id = ${account.id} and lead_id = ${leadId} and status = 'void'`
  await deleteLead(tx, by, account, leadId).catch((error) => {
    if (error.code !== 'not_found') throw error
  })
}
