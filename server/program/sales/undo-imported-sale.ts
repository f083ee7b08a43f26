import { type PaymentProvider, paymentProviderNames } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { undoSettlements } from '../commissions/settle-paid.ts'
import { deleteImportedLead } from '../leads/take-back-lead.ts'
import { voidSale } from './change-sale.ts'
import { deleteImportKeys, isReportedDirectly } from './imported-keys.ts'
import { lockPayments } from './known-sales.ts'

/**
 * Undoes a sale entered from a file, with its settlement. Its external ID is free again, for a corrected file, and
 * stays in the reason.
 * Refuses: `invalid_state` if any of it is in an approved payout, or a provider or the account's own system reports the
 * sale by now.
 */
export async function undoImportedSale(tx: Transaction, by: Author, account: AccountFacts, saleId: string) {
  const sale = await tx.maybe<{ status: string; externalId: string | null; toldBy: PaymentProvider | null }>`
    select s.status, s.external_id, h.provider as told_by
    from sales s left join provider_shops h on h.account_id = s.account_id and h.id = s.told_by_shop_id
    where s.id = ${saleId} and s.account_id = ${account.id}`
  if (sale?.toldBy) throw refusal('import_told_by_provider', { provider: paymentProviderNames[sale.toldBy] })
  // a report of it that is under way finds it void, and records another
  await lockPayments(tx, [{ accountId: account.id, externalId: sale?.externalId ?? null }])
  if (await isReportedDirectly(tx, account.id, saleId))
    throw refusal('import_told_by_provider', { provider: 'Your own system' })
  const { used } = await tx.one<{ used: boolean }>`
    select exists (
      select from commission_entries e join payout_entries b on b.account_id = e.account_id and b.entry_id = e.id and b.live
      where e.account_id = ${account.id} and e.sale_id = ${saleId}) as used`
  if (used) throw refusal('import_paid_from')
  // before its settlement: a partner with a voided balance keeps what was paid elsewhere until now
  if (sale && sale.status !== 'void') {
    const was = sale.externalId ? `. Its external ID was ${sale.externalId}` : ''
    await voidSale(tx, by, account, saleId, `Import undone${was}`)
  }
  await undoSettlements(tx, by, account, { saleId })
  await tx.run`update sales set external_id = null where id = ${saleId} and account_id = ${account.id}`
  await deleteImportKeys(tx, account.id, saleId)
}

/** Deletes a lead created by a file's sale. Refuses as `takeBackNewLead`. */
export async function deleteLeadOfImportedSale(tx: Transaction, by: Author, account: AccountFacts, leadId: string) {
  await tx.run`
    update sales set lead_id = null where account_id = ${account.id} and lead_id = ${leadId} and status = 'void'`
  await deleteImportedLead(tx, by, account, leadId)
}
