import type { Invoice } from '#contract/invoices.ts'
import type { Author } from '#server/platform/author.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { emitEvent, recordActivity } from '#server/platform/events/emit-event.ts'
import { refusal } from '#server/platform/refusal.ts'
import { dayIn } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { presentInvoices } from '#server/program/invoices/present.ts'
import { isObjectionOpen, mayBeObjectedTo, OBJECTION_DAYS } from '../objection-state.ts'

type Account = Pick<AccountFacts, 'id' | 'timeZone'>

/** Returns a document, locked: a credit note that refers to it waits. */
async function lockDocument(tx: Transaction, accountId: string, id: string): Promise<Invoice> {
  await tx.one`select from invoices where account_id = ${accountId} and id = ${id} for update`
  return readDocument(tx, accountId, id)
}

const readDocument = async (tx: Transaction, accountId: string, id: string) =>
  (await presentInvoices(tx, accountId, [id]))[0]!

/**
 * Records the partner's objection to an invoice. Nothing else changes: not the invoice, not what was paid for it.
 * Refuses: `objected_already`; `objection_too_late`; `objection_impossible`.
 */
export async function createObjection(
  tx: Transaction,
  by: Author,
  { id: accountId, timeZone }: Account,
  id: string,
  reason: string,
): Promise<Invoice> {
  const invoice = await lockDocument(tx, accountId, id)
  const { kind, number, creditedBy, objectedAt } = invoice
  if (objectedAt !== null) throw refusal('objected_already')
  if (kind !== 'invoice' || number === null || creditedBy !== null) throw refusal('objection_impossible')
  if (!mayBeObjectedTo(invoice, dayIn(timeZone, tx.now))) throw refusal('objection_too_late', { days: OBJECTION_DAYS })
  await tx.run`
    update invoices set objected_at = ${tx.now}, objection = ${reason} where account_id = ${accountId} and id = ${id}`
  const object = await readDocument(tx, accountId, id)
  await emitEvent(tx, by, accountId, 'invoice.objected', { id, object })
  return object
}

/** Closes an open objection. Refuses: `no_open_objection`. */
export async function closeObjection(tx: Transaction, by: Author, accountId: string, id: string): Promise<Invoice> {
  if (!isObjectionOpen(await lockDocument(tx, accountId, id))) throw refusal('no_open_objection')
  await tx.run`update invoices set objection_closed_at = ${tx.now} where account_id = ${accountId} and id = ${id}`
  await recordActivity(tx, by, accountId, 'invoice.objection-closed', { id })
  return readDocument(tx, accountId, id)
}
