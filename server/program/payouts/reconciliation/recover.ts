import { randomUUID } from 'node:crypto'
import { validate } from 'uuid'
import type { Author } from '../../../platform/author.ts'
import { newId } from '../../../platform/database/ids.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { sendSignal } from '../../../platform/events/emit-event.ts'
import { dayIn, yearIn } from '../../../platform/time/days.ts'
import type { AccountFacts } from '../../access/account-facts.ts'
import { entryReasons } from '../../commissions/text.ts'
import { voidReasons } from '../../commissions/voided.ts'
import { invoiceTerms, newestDetails } from '../../invoicing/details.ts'
import { gatherPayouts } from '../gather-payouts.ts'
import { assignNumbers } from '../given-names.ts'
import { hasEnded, type ProviderTransfer } from '../methods/method.ts'
import { lockPayout } from '../payout-entries.ts'
import { numberNamed } from '../payout-number.ts'
import { getPayoutTerms } from '../payout-terms.ts'
import { bookPaidElsewhere } from '../record-external-payment.ts'
import { payoutCaughtUp } from '../signals.ts'
import { amountWithin, taxColumns } from '../taxes.ts'
import { transitionPayout } from '../transitions.ts'
import { setBack } from '../undo-approval.ts'
import type { Compared } from './compare.ts'
import type { TransferRead } from './read-transfers.ts'

/** An unknown transfer with the values needed to enter it. */
export type Recovered = Compared & { partnerId: string; amount: number; paidFrom: string }

/**
 * Enters a transfer that left before the database was restored, as a payout that follows it from now on. The entries it
 * paid may be due here again, and others may be lost, so it is booked beside them, as are payouts made elsewhere
 * (docs/decisions/0013). An existing
 * payout that would request its transfer under this transaction id becomes that payout, so that nothing is requested
 * twice; so does the partner's payout that waits under the number of a batch file, whose results would otherwise be
 * applied to a later one with that number.
 */
export async function recoverTransfer(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  transfer: Recovered,
): Promise<void> {
  const { partnerId, method } = transfer
  // its invoice was issued before the restore, but the tax in it is none of what is owed
  const { invoicing } = await getPayoutTerms(tx, account)
  const details = (await newestDetails(tx, account.id, [partnerId])).get(partnerId)
  const { amount, taxAmount } = amountWithin(transfer.amount, invoiceTerms(invoicing, details))
  const madeAt = transfer.madeAt ? new Date(transfer.madeAt) : tx.now
  const day = dayIn(account.timeZone, madeAt)
  const payout = transfer.payout ?? (await waitingUnderItsNumber(tx, account, transfer))
  const id = payout
    ? await revokeApproval(tx, account, payout.id)
    : await insertPayout(tx, account, partnerId, numberNamed(transfer.reference))
  const payment = { partnerId, amount, reason: entryReasons.paidBeforeRestore, day }
  const entries = await bookPaidElsewhere(tx, by, account, [payment], await voidReasons(tx, account.id, [partnerId]))
  const year = yearIn(account.timeZone, madeAt)
  await insertLostAttempt(tx, account, { payoutId: id, number: transfer.number ?? 1, year }, transfer)
  await transitionPayout(tx, account, id, 'recover', {
    by,
    because: entryReasons.paidBeforeRestore,
    set: sql`amount = ${amount}, ${taxColumns({ taxAmount, invoiceTerms: null })}, currency = ${account.defaultCurrency}, method = ${method}, period_start = ${day},
      period_end = ${day}, approved_by = ${by.type === 'user' ? by.id : null}, approved_at = ${tx.now}, details_sealed = null,
      paid_on = ${hasLeft(transfer.standing) ? day : null}::date,
      details_version = (select details_version from payout_attempts
        where account_id = ${account.id} and payout_id = ${id} order by number desc limit 1)`,
    entries,
    changes: { transfer: { old: null, new: transfer.id } },
  })
  await emitLaterStates(tx, account, id, transfer.standing)
  await gatherPayouts(tx, account, [partnerId])
}

/** Notifies the partner of its later states; they were notified of the earlier ones before the restore. */
export async function emitLaterStates(
  tx: Transaction,
  account: AccountFacts,
  payoutId: string,
  standing: ProviderTransfer['standing'],
) {
  if (!hasLeft(standing) && !['bounced', 'back', 'over'].includes(standing)) return
  const payout = await tx.one<{ partnerId: string; approvedAt: string | null }>`
    select partner_id, approved_at from payouts where account_id = ${account.id} and id = ${payoutId}`
  const { partnerId, approvedAt } = payout
  const reached = hasLeft(standing) ? 'sent' : 'returned'
  if (approvedAt !== null)
    await sendSignal(tx, account.id, payoutCaughtUp, { partnerId, payoutId, approvedAt, reached })
}

const hasLeft = (standing: ProviderTransfer['standing']) => standing === 'sent' || standing === 'arrived'

/** Undoes the approval of a payout without an active transfer, so that nothing is bound to it; returns its id. */
export async function revokeApproval(tx: Transaction, account: AccountFacts, id: string): Promise<string> {
  const { status } = await lockPayout(tx, account.id, id)
  if (status === 'gathering' || status === 'canceled') return id
  await tx.run`
    update payout_attempts set state = 'abandoned', stage = 'over', updated_at = ${tx.now}
    where account_id = ${account.id} and payout_id = ${id} and stage <> 'over'`
  await setBack(tx, account, id, entryReasons.paidBeforeRestore)
  return id
}

async function waitingUnderItsNumber(tx: Transaction, account: AccountFacts, { named, partnerId }: Recovered) {
  if (named?.partnerId !== partnerId) return null
  const { status } = await lockPayout(tx, account.id, named.id)
  return status === 'gathering' || status === 'approved' || status === 'failed' ? named : null
}

/** Inserts a payout under its reported number, unless another payout has that now. */
async function insertPayout(tx: Transaction, account: AccountFacts, partnerId: string, number: number | null) {
  const id = newId()
  const isTaken =
    number === null ||
    (await tx.maybe`select from payouts where account_id = ${account.id} and statement_number = ${number}`)
  const own = isTaken ? (await assignNumbers(tx, account, 1)) + 1 : number
  await tx.run`
    update payout_accounts set last_statement_number = greatest(last_statement_number, ${own}::integer)
    where account_id = ${account.id}`
  await tx.run`
    insert into payouts (id, account_id, partner_id, statement_number, status, currency, created_at, updated_at)
    values (${id}, ${account.id}, ${partnerId}, ${own}, 'canceled', ${account.defaultCurrency}, ${tx.now},
      ${tx.now})`
  return id
}

type Asked = { payoutId: string; number: number; year: number }

/**
 * Inserts the lost attempt, as far as its transfer shows. If another attempt here has its transaction id, or it has
 * none of ours, it is only entered under that.
 */
export async function insertLostAttempt(
  tx: Transaction,
  account: AccountFacts,
  { payoutId, number, year }: Asked,
  transfer: Omit<TransferRead, 'paidFrom' | 'amount'> & { paidFrom: string; amount: number },
): Promise<void> {
  const { id, method, paidFrom, transactionId, recipientId, quoteId, state, standing, amount, paymentNumber } = transfer
  const stage = hasEnded(standing) ? 'over' : 'open'
  const fundedAt = ['moving', 'sent', 'arrived', 'bounced', 'back'].includes(standing) ? tx.now : null
  const isTaken =
    !validate(transactionId) ||
    (await tx.maybe`select from payout_attempts where customer_transaction_id = ${transactionId}`)
  await tx.run`
    insert into payout_attempts (id, account_id, payout_id, number, customer_transaction_id, paid_from, method,
      details_version, amount, currency, year, payment_number, recipient_id, quote_id, transfer_id, memo, state,
      stage, funded_at, announced_at, at, updated_at)
    select ${newId()}, o.account_id, o.id, greatest(${number}::integer, coalesce((
        select max(number) + 1 from payout_attempts where account_id = ${account.id} and payout_id = o.id), 1)),
      ${isTaken ? randomUUID() : transactionId}::uuid, ${paidFrom}, ${method},
      coalesce(o.details_version, d.version, ${randomUUID()}::uuid), ${amount}, ${account.defaultCurrency}, ${year},
      case when not exists (select from payout_attempts where account_id = ${account.id} and method = ${method}
        and payment_number = ${paymentNumber}) then ${paymentNumber}::integer end,
      ${recipientId}, ${quoteId}, ${id}, ${isTaken ? JSON.stringify({ enteredAs: transactionId }) : null}::jsonb,
      ${state}, ${stage}, ${fundedAt}, ${transfer.madeAt ?? tx.now}, ${transfer.madeAt ?? tx.now}, ${tx.now}
    from payouts o left join payout_settings d on d.account_id = o.account_id and d.partner_id = o.partner_id
    where o.account_id = ${account.id} and o.id = ${payoutId}`
}
