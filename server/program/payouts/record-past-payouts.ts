import type { Author } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { recordActivities } from '../../platform/events/emit-event.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustBalance } from '../commissions/adjustments.ts'
import { entryReasons } from '../commissions/text.ts'
import { voidReasons } from '../commissions/voided.ts'
import { recordCashOut } from './cash-ledger.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { assignNumbers } from './given-names.ts'
import { attachEntries, lockPayout } from './payout-entries.ts'
import { lockPayoutAccount } from './payout-terms.ts'
import { bookPaidElsewhere } from './record-external-payment.ts'
import { transitionPayout } from './transitions.ts'

/** A payout made before the account was set up here, in minor units of its currency. */
export type PastPayout = {
  partnerId: string
  amount: number
  paidOn: string
  externalReference: string | null
}

/** Days by which another program's date may differ from ours. References alone do not identify a payout. */
const DAYS_APART = 14

/**
 * Enters payouts made elsewhere (docs/decisions/0013-imported-payouts.md). Only the account's activity records it.
 * Nothing is deducted from a voided balance, as nothing is owed. Returns their ids, in order.
 */
export async function recordPastPayouts(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  payouts: PastPayout[],
): Promise<string[]> {
  if (payouts.length === 0) return []
  const voided = await voidReasons(
    tx,
    account.id,
    payouts.map(({ partnerId }) => partnerId),
  )
  await lockPayoutAccount(tx, account.id)
  const payments = payouts.map(({ partnerId, amount, paidOn: day }) => ({
    partnerId,
    amount,
    reason: entryReasons.paidBeforeImport,
    day,
  }))
  const entries = await bookPaidElsewhere(tx, by, account, payments, voided)
  const ids = payouts.map(() => newId())
  await insertPaid(tx, by, account, { ids, payouts })
  await recordCashOut(tx, account.id, ids, { byProvider: false })
  const bound = ids.map((payoutId, at) => ({ payoutId, entryId: entries[at]! }))
  await attachEntries(tx, account.id, bound)
  await recordActivities(
    tx,
    by,
    account.id,
    payouts.map(({ amount, paidOn, externalReference }, at) => ({
      type: 'payout.imported',
      id: ids[at]!,
      changes: {
        amount: { old: null, new: amount },
        paidOn: { old: null, new: paidOn },
        ...(externalReference && { externalReference: { old: null, new: externalReference } }),
      },
    })),
  )
  return ids
}

type Paid = { ids: string[]; payouts: PastPayout[] }

/** Inserts the rows with the account's next numbers. */
async function insertPaid(tx: Transaction, by: Author, account: AccountFacts, { ids, payouts }: Paid) {
  const approver = by.type === 'user' ? by.id : null
  const before = await assignNumbers(tx, account, payouts.length)
  await tx.run`
    insert into payouts (id, account_id, partner_id, statement_number, status, amount, currency, method, period_start,
      period_end, approved_by, approved_at, paid_at, external_reference, created_at, updated_at)
    select p.id, ${account.id}, p.partner_id, ${before}::integer + p.place, 'paid', p.amount, ${account.defaultCurrency}, 'manual',
      p.paid_on, p.paid_on, ${approver}, ${tx.now}, p.paid_on::timestamp at time zone ${account.timeZone},
      p.external_reference, ${tx.now}, ${tx.now}
    from unnest(${ids}::uuid[], ${payouts.map((one) => one.partnerId)}::uuid[],
      ${payouts.map((one) => one.amount)}::bigint[], ${payouts.map((one) => one.paidOn)}::date[],
      ${payouts.map((one) => one.externalReference)}::text[])
      with ordinality as p (id, partner_id, amount, paid_on, external_reference, place)`
}

/**
 * Returns for each of these an existing record, if any; `nth` counts identical rows. One entered before matches by
 * partner, amount, reference and date; one paid here, whose date may differ slightly elsewhere, by the first three and
 * an approximate date.
 */
export const pastPayoutsKnown = async (
  tx: Transaction,
  account: AccountFacts,
  payouts: (PastPayout & { nth: number })[],
) => {
  const rows = await tx.many<{ known: boolean }>`
    select (
      select count(*) from payouts o
      where o.account_id = ${account.id} and o.partner_id = p.partner_id and o.status = 'paid' and o.amount = p.amount
        and o.external_reference is not distinct from p.external_reference
        and (o.paid_on = p.paid_on
          or (p.external_reference is not null and abs(o.paid_on - p.paid_on) <= ${DAYS_APART} and not exists (
            select from events v where v.account_id = ${account.id} and v.subject_id = o.id and v.audited
              and v.type = 'payout.imported')))
    ) > p.nth as known
    from unnest(${payouts.map((one) => one.partnerId)}::uuid[], ${payouts.map((one) => one.amount)}::bigint[],
      ${payouts.map((one) => one.paidOn)}::date[], ${payouts.map((one) => one.externalReference)}::text[],
      ${payouts.map((one) => one.nth)}::integer[])
      with ordinality as p (partner_id, amount, paid_on, external_reference, nth, place)
    order by p.place`
  return rows.map(({ known }) => known)
}

/**
 * Reverts an entered payout: it is canceled, and its entry remains beside the offsetting one.
 * Refuses: `invalid_state` if the offset is in a payout that was approved meanwhile.
 */
export async function undoImportedPayout(tx: Transaction, by: Author, account: AccountFacts, id: string) {
  const partnerId = await tx.value<string>`
    select partner_id from payouts where account_id = ${account.id} and id = ${id}`
  const voided = await voidReasons(tx, account.id, [partnerId])
  const { status, amount } = await lockPayout(tx, account.id, id)
  if (status !== 'paid') return
  const { used, madeGood } = await tx.one<{ used: boolean; madeGood: string | null }>`
    select bool_or(b.entry_id is not null) as used, min(o.reason) filter (where o.amount = e.amount) as made_good
    from payout_entries own join commission_entries e on e.account_id = own.account_id and e.id = own.entry_id
      join commission_entries o on o.account_id = e.account_id and o.partner_id = e.partner_id and o.created_at = e.created_at
        and o.kind = 'adjustment' and o.id <> e.id and ((o.amount = -e.amount and o.day = e.day and o.reason is not distinct from e.reason)
          or (o.amount = e.amount and o.reason is distinct from e.reason))
      left join payout_entries b on b.account_id = o.account_id and b.entry_id = o.id and b.live
    where own.account_id = ${account.id} and own.payout_id = ${id} and own.live`
  if (used) throw refusal('import_paid_from')
  await transitionPayout(tx, account, id, 'undo-import', { by, because: 'The import was undone.' })
  // in a balance that is still void, the released entry is void already
  if (madeGood !== null && !voided.has(partnerId))
    await adjustBalance(tx, by, account, partnerId, { amount: -amount!, reason: madeGood })
  await gatherPayouts(tx, account, [partnerId])
}
