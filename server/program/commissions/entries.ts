import type { LeadEvent } from '#contract/terms.ts'
import { parseActor } from '../../platform/author.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { c, type RowOf, table } from '../../platform/database/table.ts'
import { markEarly } from './early-entries.ts'
import { emitEntryEvents } from './emit-entry-events.ts'
import { holdingSale, unboundStatus } from './entry-status.ts'
import { type WrittenEntry, writtenColumns } from './present-entries.ts'

const asGiven = {
  id: c.uuid,
  accountId: c.uuid,
  saleId: c.uuid.null(),
  /** The lead that it pays for, without a sale. */
  leadId: c.uuid.null(),
  paidFor: c.text<LeadEvent>().null(),
  /** The sale that made the lead a customer: its hold is the entry's. */
  wonSaleId: c.uuid.null(),
  /** Of pay for a lead: the cases of it and its partner that were open when it was booked. */
  heldBy: c.uuids.null(),
  /** The award of a goal that a bonus belongs to, and its goal. */
  awardId: c.uuid.null(),
  goalId: c.uuid.null(),
  refundId: c.uuid.null(),
  /**
   * The payment of the same subscription that was added or removed and so moved the recurring limit, which this
   * corrects.
   */
  limitSaleId: c.uuid.null(),
  /** The change of the sale's amount that caused it. */
  correctionId: c.uuid.null(),
  /** The sale whose commission was paid before its import: this subtracts it from the balance. */
  settlesSaleId: c.uuid.null(),
  partnerId: c.uuid,
  layer: c.smallint.null(),
  ratePpm: c.integer.null(),
  /** Paid for the sale as a whole, in minor units of the account's currency. */
  flatAmount: c.bigint.null(),
  /** The name of the rule that paid, if a single one did. */
  rule: c.text().null(),
  baseAmount: c.bigint.null(),
  amount: c.bigint,
  currency: c.text(),
  kind: c.text<'earned' | 'reversal' | 'restoration' | 'adjustment' | 'bonus'>(),
  clawback: c.boolean,
  /** Number of earlier entries with the same cause, kind, partner and layer. */
  turn: c.integer,
  /** Date in the statistics. */
  day: c.date,
  reason: c.text().null(),
  actor: c.text().null(),
}
const given = table('commission_entries', asGiven)
const whole = {
  ...asGiven,
  /** Null: at the start of the sale's date, or of `day` without one, plus the payout delay stored with the sale. */
  availableAt: c.instant.null(),
}
const written = table('commission_entries', whole)

/** A ledger row to write: signed minor units of the account's currency. */
export type NewEntry = RowOf<typeof written>

/** Writes any number of ledger rows and sends an event for each; one that subtracts money as a reversal. */
export async function writeEntries(tx: Transaction, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await insertEntries(tx, entries)
  await emitEntryEvents(
    tx,
    entries.map(({ id, accountId, amount, actor }) => ({
      by: parseActor(actor),
      accountId,
      type: amount < 0 ? 'commission.reversed' : 'commission.created',
      id,
    })),
  )
}

/**
 * Writes ledger rows in one statement and returns them; the caller sends their events. Looks up sales and accounts row
 * by row: a plan made while there were few would read all of them for every later sale.
 */
export async function insertEntries(tx: Transaction, entries: NewEntry[]): Promise<WrittenEntry[]> {
  if (entries.length === 0) return []
  const accountIds = entries.map(({ accountId }) => accountId)
  const rows = await tx.many<WrittenEntry>`
    with t as (
      insert into commission_entries (${given.names}, available_at, created_at)
      select ${given.from('e')},
        coalesce(e.available_at, (coalesce(s.sale_date, e.day) + coalesce((s.credit ->> 'payoutDelay')::integer, a.payout_delay))::timestamp
          at time zone coalesce(s.credit ->> 'timeZone', a.time_zone)),
        ${tx.now}
      from jsonb_to_recordset(${written.jsonOf(entries)}::jsonb) as e (${written.declared})
        cross join lateral (select payout_delay, time_zone from accounts where id = e.account_id limit 1) a
        left join lateral (
          select credit, sale_date from sales where account_id = ${eachAccount(accountIds, sql`e.account_id`)} and id = e.sale_id limit 1) s on true
      returning *)
    select ${writtenColumns}, ${unboundStatus(tx.now, accountIds)} as status
    from t cross join lateral (
      -- one row without an outer join, for which a cluster would fetch all sales of the account
      select min(status) as status, bool_or(disputed) as disputed, min(hold_rule) as hold_rule, min(held_until) as held_until
      from sales where account_id = ${eachAccount(accountIds, sql`t.account_id`)} and id = ${holdingSale}) s`
  await markEarly(tx, entries)
  return rows
}

/** Returns an entry with empty values for fields that only some kinds have. */
export const newEntry = (
  fields: Partial<NewEntry> & Pick<NewEntry, 'accountId' | 'partnerId' | 'amount' | 'currency' | 'kind' | 'day'>,
): NewEntry => ({
  id: newId(),
  saleId: null,
  leadId: null,
  paidFor: null,
  wonSaleId: null,
  heldBy: null,
  awardId: null,
  goalId: null,
  refundId: null,
  limitSaleId: null,
  correctionId: null,
  settlesSaleId: null,
  layer: null,
  ratePpm: null,
  flatAmount: null,
  rule: null,
  baseAmount: null,
  clawback: false,
  turn: 0,
  availableAt: null,
  reason: null,
  actor: null,
  ...fields,
})
