import { type Author, diffFields, toActor } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { releaseFromCases } from '../fraud/fraud-cases.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { refusePast } from '../stats/count.ts'
import { bookLate } from './book-late.ts'
import { emitSaleEvent } from './emit-sale-events.ts'
import { isSamePayment, lockPayments } from './known-sales.ts'
import { updatePlaces } from './places.ts'
import { followLead } from './refund-sale.ts'
import { lockSale, type SaleState, saveState, settleSale } from './sale-state.ts'

/**
 * Brings back a sale that was voided by hand, with the terms that it was booked by: every layer has its commission again,
 * less the refunds and disputes reported since. One that had earned nothing yet is booked. A fraud hold that ended with
 * the void stays ended.
 * Refuses: `invalid_state` for a sale that isn’t void, was taken back with its import, or was recorded again; `erased`
 * for a sale of an erased person or partner.
 */
export async function restoreSale(tx: Transaction, by: Author, account: AccountFacts, saleId: string, reason: string) {
  const accountId = account.id
  const { externalId } = (await tx.maybe<{ externalId: string | null }>`
    select external_id from sales where account_id = ${accountId} and id = ${saleId}`) ?? { externalId: null }
  await lockPayments(tx, [{ accountId, externalId }])
  const before = await lockSale(tx, accountId, saleId)
  if (before.sale.status !== 'void') throw refusal('sale_not_void')
  await refuseEnded(tx, before)
  await tx.run`
    update sales set status = 'completed', void_reason = null, restored_at = ${tx.now}
    where account_id = ${accountId} and id = ${saleId}`
  await endHold(tx, accountId, saleId)
  await book(tx, by, account, before, reason)
  await followLead(tx, by, accountId, before.sale.leadId)
  const { sale: after } = await lockSale(tx, accountId, saleId)
  await emitSaleEvent(tx, by, accountId, 'sale.updated', {
    id: saleId,
    changes: {
      ...diffFields({ heldUntil: before.sale.heldUntil }, { heldUntil: after.heldUntil }),
      status: { old: 'void', new: after.status },
      reason: { old: null, new: reason },
    },
  })
}

async function refuseEnded(tx: Transaction, { sale, entries }: SaleState) {
  const { accountId, id, partnerId } = sale
  const found = await tx.one<{ isErased: boolean; isTakenBack: boolean; other: string | null }>`
    select exists (select from partners p where p.account_id = ${accountId} and p.erased_at is not null
        and p.id = any(${[partnerId, ...entries.map((entry) => entry.partnerId)]}::uuid[])) as is_erased,
      i.provider = 'import' and i.external_id is null and not exists (
        select from imported_sales k where k.account_id = ${accountId} and k.sale_id = i.id) as is_taken_back,
      (select s.id from (
          select id, amount, gross_amount, currency, status, payer_email from sales
          where account_id = ${accountId} and external_id = i.external_id and id <> i.id) s
        where ${isSamePayment} order by s.id limit 1) as other
    from (
      select id, provider, external_id, amount, gross_amount, currency, payer_email as email from sales
      where account_id = ${accountId} and id = ${id}) i`
  if (sale.isErased || found.isErased) throw refusal('erased')
  if (found.isTakenBack) throw refusal('sale_taken_back')
  if (found.other) throw refusal('sale_recorded_again', { details: { saleId: found.other } })
}

/** Leaves a hold to those of its cases that are still open; the others were decided by the void. */
async function endHold(tx: Transaction, accountId: string, saleId: string) {
  await releaseFromCases(tx, accountId, [saleId])
  await tx.run`
    update sales s set held_until = null
    where s.account_id = ${accountId} and s.id = ${saleId} and exists (
      select from fraud_cases c
      where c.account_id = ${accountId} and c.id = s.fraud_case_id and c.decided_at is not null)`
}

async function book(tx: Transaction, by: Author, account: AccountFacts, before: SaleState, reason: string) {
  const { sale, entries } = before
  const isBooked = entries.some(({ kind }) => kind === 'earned')
  if (sale.partnerId && !isBooked) {
    const [lead] = sale.leadId ? await lockLeads(tx, [account.id], [sale.leadId]) : []
    return bookLate(tx, by, account.id, [{ before, now: { status: 'completed' }, lead }])
  }
  const cause = { refund: null, day: sale.saleDate, now: tx.now, reason, actor: toActor(by) }
  const { state, written } = settleSale({ ...before, sale: { ...sale, status: 'completed' } }, cause)
  refusePast(await saveState(tx, before, state, written))
  if (sale.credit) await updatePlaces(tx, await holdAccounts(tx, [account.id]), [{ ...sale, by, isBooked }])
}
