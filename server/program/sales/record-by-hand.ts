import type { NewSale, Sale } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { holdAccount } from '../access/hold-accounts.ts'
import { presentSale } from './present-sales.ts'
import { recordSale } from './record-sale.ts'
import { refuseFuture } from './sale-date.ts'

/** Records a sale typed by the owner. Refuses: `duplicate` for a known external id, naming the sale that has it. */
export async function recordByHand(tx: Transaction, by: By, access: Access, sale: NewSale): Promise<Sale> {
  const account = await holdAccount(tx, access.account.id)
  const leadId = access.subjectId
  const taxAmount = sale.taxAmount ?? 0
  const { id, created } = await recordSale(tx, {
    account,
    leadId,
    provider: 'manual',
    externalId: sale.externalId ?? null,
    amount: sale.amount,
    taxAmount,
    grossAmount: sale.amount + taxAmount,
    currency: sale.currency ?? null,
    saleDate: refuseFuture(account, tx.now, sale.saleDate ?? null),
    description: sale.description ?? null,
    matchedBy: 'manual',
    by,
  })
  if (!created)
    throw refusal('sale_external_id_taken', {
      fields: { externalId: 'This external ID is taken' },
      details: { saleId: id },
    })
  return presentSale(tx, access, id)
}
