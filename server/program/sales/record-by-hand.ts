import type { NewSale, Sale } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import type { Access } from '../access/access.ts'
import { lockAccountShared } from '../access/lock-accounts.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { findKnownSale } from './known-sales.ts'
import { presentSale } from './present-sales.ts'
import { recordSales } from './record-sale.ts'
import { isPartnersCode, toPromotionCodes } from './reported-codes.ts'
import { refuseFuture } from './sale-date.ts'
import { requireLines } from './sale-lines.ts'

/**
 * Records a sale typed by the owner. Refuses: `duplicate`, with its id, for an existing one; `not_found` for a deleted
 * lead.
 */
export async function recordByHand(tx: Transaction, by: Author, access: Access, sale: NewSale): Promise<Sale> {
  const account = await lockAccountShared(tx, access.account.id)
  const leadId = access.subjectId
  const taxAmount = sale.taxAmount ?? 0
  const payment = {
    provider: 'manual' as const,
    externalId: sale.externalId ?? null,
    currency: sale.currency ?? account.defaultCurrency,
    amount: sale.amount,
    taxAmount,
    grossAmount: sale.amount + taxAmount,
  }
  const known = await findKnownSale(tx, account.id, payment)
  if (known) throw isTaken(known)
  const [lead] = await lockLeads(tx, [account.id], [leadId])
  if (!lead) throw notFound()
  const toRecord = {
    ...payment,
    account,
    leadId,
    by,
    matchedBy: 'manual' as const,
    description: sale.description ?? null,
    lines: requireLines(sale.amount, sale.lines),
    country: sale.country ?? null,
    saleDate: refuseFuture(account, tx.now, sale.saleDate ?? null),
    promotionCodes: toPromotionCodes([sale.promotionCode]),
    partnerCode: await isPartnersCode(tx, account.id, [sale.promotionCode]),
  }
  const [recorded] = await recordSales(tx, [toRecord], {
    accounts: new Map([[account.id, account]]),
    leads: new Map([[leadId, lead]]),
  })
  if (!recorded!.created) throw isTaken(recorded!.id)
  return presentSale(tx, access, recorded!.id)
}

const isTaken = (saleId: string) =>
  refusal('sale_external_id_taken', { fields: { externalId: 'This external ID is taken' }, details: { saleId } })
