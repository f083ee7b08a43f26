import { type Author, toActor } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { markReleasedEarly } from '../commissions/early-entries.ts'
import { decideCases, type ReleasedSale, releaseFromCases } from '../fraud/fraud-cases.ts'
import { emitSaleEvent, emitSaleEvents } from './emit-sale-events.ts'
import { updatePlaces } from './places.ts'
import { followLead } from './refund-sale.ts'
import { lockSale, saveState, settleSale } from './sale-state.ts'

/** Changes a sale's description. Refuses: `not_found`; `erased` for a sale of an erased person. */
export async function describeSale(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  saleId: string,
  description: string | null,
) {
  const { sale } = await lockSale(tx, account.id, saleId)
  if (sale.isErased) throw refusal('erased')
  const { old } = await tx.one<{ old: string | null }>`
    update sales s set description = ${description} from sales before
    where s.id = ${saleId} and s.account_id = ${account.id} and before.account_id = s.account_id and before.id = s.id returning before.description as old`
  await emitSaleEvent(tx, by, account.id, 'sale.updated', {
    id: saleId,
    changes: { description: { old, new: description } },
  })
}

/**
 * Voids a sale recorded by mistake: reverses all its earnings, removes it from the statistics, and frees its place at
 * the recurring limit. Refuses: `invalid_state` if it is already void.
 */
export async function voidSale(tx: Transaction, by: Author, account: AccountFacts, saleId: string, reason: string) {
  const before = await lockSale(tx, account.id, saleId)
  if (before.sale.status === 'void') throw refusal('sale_already_void')
  const cause = { refund: null, day: before.sale.saleDate, now: tx.now, reason, actor: toActor(by) }
  const { state, written } = settleSale({ ...before, sale: { ...before.sale, status: 'void' } }, cause)
  await saveState(tx, before, state, written)
  await tx.run`update sales set void_reason = ${reason} where account_id = ${account.id} and id = ${saleId}`
  if (before.sale.holdRule)
    await decideCases(tx, by, account.id, sql`c.sale_id = ${saleId}`, { decision: 'voided', reason })
  const accounts = await holdAccounts(tx, [account.id])
  if (before.sale.credit) await updatePlaces(tx, accounts, [{ ...before.sale, by }])
  await followLead(tx, by, before.sale.accountId, before.sale.leadId)
  await emitSaleEvent(tx, by, account.id, 'sale.voided', {
    id: saleId,
    changes: {
      status: { old: before.sale.status, new: 'void' },
      reason: { old: null, new: reason },
    },
  })
}

/**
 * Releases a sale and decides its case. If an open case of its lead or partner holds it too, it stays on hold.
 * Refuses: `invalid_state` if it isn’t on hold, or if only such a case holds it.
 */
export async function releaseSale(tx: Transaction, by: Author, account: AccountFacts, saleId: string, reason: string) {
  const { sale } = await lockSale(tx, account.id, saleId)
  const isHeld = sale.status !== 'void' && sale.heldUntil !== null && Date.parse(sale.heldUntil) > tx.now.getTime()
  if (!isHeld) throw refusal('sale_not_on_hold')
  const own = sql`c.sale_id = ${saleId} and c.action = 'hold'`
  const decided = await decideCases(tx, by, account.id, own, { decision: 'released', reason })
  const released = await releaseFromCases(tx, account.id, [saleId])
  if (decided.length === 0 && released[0]!.heldUntil !== null) throw refusal('sale_held_by_case')
  await emitReleasedSales(tx, by, account.id, released, reason)
}

/** Tells of sales that one of their cases, or all, no longer hold. */
export async function emitReleasedSales(
  tx: Transaction,
  by: Author,
  accountId: string,
  sales: ReleasedSale[],
  reason: string,
) {
  const free = sales.filter(({ heldUntil }) => heldUntil === null).map(({ id }) => id)
  await markReleasedEarly(tx, accountId, { saleIds: free }, toActor(by))
  await emitSaleEvents(
    tx,
    sales.map(({ id, old, heldUntil }) => ({
      by,
      accountId,
      type: 'sale.updated' as const,
      id,
      changes: { heldUntil: { old, new: heldUntil }, reason: { old: null, new: reason } },
    })),
  )
}
