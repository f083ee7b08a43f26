import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustAll } from '../commissions/adjustments.ts'
import { voidSale } from './change-sale.ts'

const PAID_BEFORE = 'Paid before the import'

/**
 * Takes what these sales earn from the balances of whom it was paid before it was kept here, when it would fall due
 * (docs/decisions/0013-what-others-paid.md). Returns the adjustments by sale.
 */
export async function settlePaid(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  saleIds: string[],
): Promise<Map<string, string[]>> {
  const earned = await tx.many<{ saleId: string; partnerId: string; amount: number; availableAt: string }>`
    select sale_id, partner_id, sum(amount)::bigint as amount, available_at from commission_entries
    where account_id = ${account.id} and sale_id = any(${saleIds}::uuid[])
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
  return new Map([...bySale].map(([saleId, places]) => [saleId, places.map((at) => ids[at]!)]))
}

/**
 * Takes back a sale that was entered from a file, with what was settled of it. Its external ID is free again, for the
 * file as it should have been, and stays in the reason.
 * Refuses: `invalid_state` where any of it stands in a payout that was approved, or a provider tells of the sale by now.
 */
export async function takeBackSale(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  { saleId, adjustmentIds }: { saleId: string; adjustmentIds: string[] },
) {
  const sale = await tx.maybe<{ status: string; externalId: string | null; toldBy: PaymentProvider | null }>`
    select s.status, s.external_id, h.provider as told_by
    from sales s left join provider_shops h on h.account_id = s.account_id and h.id = s.told_by_shop_id
    where s.id = ${saleId} and s.account_id = ${account.id}`
  if (sale?.toldBy) throw refusal('import_told_by_provider', { provider: paymentProviderNames[sale.toldBy] })
  const { used } = await tx.one<{ used: boolean }>`
    select exists (
      select from commission_entries e join payout_entries b on b.entry_id = e.id and b.live
      where e.account_id = ${account.id} and (e.sale_id = ${saleId} or e.id = any(${adjustmentIds}::uuid[]))) as used`
  if (used) throw refusal('import_paid_from')
  const settled = await tx.many<{ partnerId: string; amount: number; availableAt: string }>`
    select partner_id, amount, available_at from commission_entries
    where account_id = ${account.id} and id = any(${adjustmentIds}::uuid[]) order by id`
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
  if (sale && sale.status !== 'void') {
    const was = sale.externalId ? `. Its external ID was ${sale.externalId}` : ''
    await voidSale(tx, by, account, saleId, `Import undone${was}`)
  }
  await tx.run`update sales set external_id = null where id = ${saleId} and account_id = ${account.id}`
}
