import { holdAccounts } from '../access/hold-accounts.ts'
import { actorOf, audit, type By } from '../../platform/audit.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/access.ts'
import { announce } from '../../jobs/outbox.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { keepLimit } from './recurring-limit.ts'
import { followLead } from './refund-sale.ts'
import { lockSale, saveState, settle } from './sale-state.ts'

export async function describeSale(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  saleId: string,
  description: string | null,
) {
  await tx.run`update sales set description = ${description} where id = ${saleId} and account_id = ${account.id}`
  await audit(tx, by, account.id, 'sale.described', { type: 'sale', id: saleId })
  await announce(tx, account.id, 'sale.updated', { saleId })
}

/**
 * Takes back a sale recorded by mistake: everything it earned is reversed, and the statistics are as if it had never
 * been; its place at the recurring limit is free again. Refuses: `invalid_state` where it is void already.
 */
export async function voidSale(
  tx: Transaction,
  services: Services,
  by: By,
  account: AccountFacts,
  saleId: string,
  reason: string,
) {
  const before = await lockSale(tx, account.id, saleId)
  if (before.sale.status === 'void') throw new Refusal('invalid_state', 'This sale is void already.')
  const cause = { refund: null, day: before.sale.saleDate, reason, actor: actorOf(by) }
  const { state, written } = settle({ ...before, sale: { ...before.sale, status: 'void' } }, cause, tx.now)
  await saveState(tx, before, state, written)
  await tx.run`update sales set void_reason = ${reason} where id = ${saleId}`
  const accounts = await holdAccounts(tx, [account.id])
  if (before.sale.credit) await keepLimit(tx, accounts, [before.sale], actorOf(by))
  await followLead(tx, services, before.sale.leadId, by)
  await audit(tx, by, account.id, 'sale.voided', { type: 'sale', id: saleId }, { reason: { old: null, new: reason } })
  await announce(tx, account.id, 'sale.voided', { saleId })
}

/** Ends a fraud hold. Refuses: `invalid_state` where none stands. */
export async function releaseSale(tx: Transaction, by: By, account: AccountFacts, saleId: string, reason: string) {
  const released = await tx.run`
    update sales set held_until = null
    where id = ${saleId} and account_id = ${account.id} and held_until > ${tx.now}`
  if (released === 0) throw new Refusal('invalid_state', 'Nothing holds this sale.')
  await audit(tx, by, account.id, 'sale.released', { type: 'sale', id: saleId }, { reason: { old: null, new: reason } })
  await announce(tx, account.id, 'sale.updated', { saleId })
}
