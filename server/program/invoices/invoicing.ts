import type { Invoicing, InvoicingChange } from '#contract/invoices.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { getSeries, lockSeries, numberSql, type Series } from '../invoicing/series.ts'
import { changeInvoicingSettings, getInvoicingSettings } from '../invoicing/settings.ts'
import { numberWaiting } from './issue.ts'

/** Returns an account's settings of invoices, with its series. */
export const presentInvoicing = async (db: Queryable, accountId: string): Promise<Invoicing> => ({
  ...(await getInvoicingSettings(db, accountId)),
  ...(await getSeries(db, accountId)),
})

/**
 * Changes the settings and the series. Refuses, besides what the settings refuse: `number_goes_up_only`;
 * `validation_failed` for another number without a reason, or a prefix that would repeat the number of a document.
 */
export async function changeInvoicing(
  tx: Transaction,
  by: Author,
  accountId: string,
  { prefix, nextNumber, reason, ...settings }: InvoicingChange,
): Promise<Invoicing> {
  await changeInvoicingSettings(tx, by, accountId, settings)
  if (prefix !== undefined || nextNumber !== undefined)
    await changeSeries(tx, by, accountId, { prefix, nextNumber, reason })
  return presentInvoicing(tx, accountId)
}

async function changeSeries(
  tx: Transaction,
  by: Author,
  accountId: string,
  { prefix, nextNumber, reason }: Pick<InvoicingChange, 'prefix' | 'nextNumber' | 'reason'>,
) {
  const before = await lockSeries(tx, accountId)
  const next = {
    prefix: prefix ?? before.prefix,
    nextNumber: nextNumber ?? before.nextNumber,
    unsure: before.unsure && nextNumber === undefined,
  }
  if (next.nextNumber < before.nextNumber) throw refusal('number_goes_up_only', { number: before.nextNumber })
  if ((next.nextNumber > before.nextNumber || before.unsure !== next.unsure) && reason === undefined)
    throw wrongField('reason', 'number_without_reason')
  if (next.prefix !== before.prefix) await refuseRepeating(tx, accountId, next)
  const changes = diffFields(before, next)
  if (Object.keys(changes).length === 0) return
  if (next.nextNumber > before.nextNumber)
    await tx.run`
      insert into invoice_jumps (account_id, from_number, to_number, reason, made_by, at)
      values (${accountId}, ${before.nextNumber}, ${next.nextNumber}, ${reason}, ${by.type === 'user' ? by.id : null}, ${tx.now})`
  await tx.run`
    update invoice_series set prefix = ${next.prefix}, next_number = ${next.nextNumber},
      unsure_since = case when ${next.unsure} then unsure_since end, updated_at = ${tx.now}
    where account_id = ${accountId}`
  await recordActivity(tx, by, accountId, 'invoicing.changed', {
    id: accountId,
    changes: { ...changes, ...(reason && { reason: { old: null, new: reason } }) },
  })
  if (before.unsure && !next.unsure) await numberWaiting(tx, accountId, next)
}

/**
 * Refuses a prefix of the series that begins an earlier one which continues in digits: after INV-1, the prefix INV-
 * would come to INV-12 again. The other way round, no number is reached again, since all go up.
 */
async function refuseRepeating(tx: Transaction, accountId: string, { prefix, nextNumber }: Series) {
  const repeated = await tx.maybe<{ number: string }>`
    select ${numberSql(sql`i`)} as number
    from invoices i cross join lateral (
      select substr(${numberSql(sql`i`)}, ${prefix.length + 1}::integer) as continued) c
    where i.account_id = ${accountId} and i.prefix <> ${prefix} and starts_with(i.prefix, ${prefix})
      and case when c.continued ~ '^[1-9][0-9]*$' then c.continued::numeric >= ${nextNumber}::integer end
    order by i.number limit 1`
  if (repeated) throw wrongField('prefix', 'prefix_repeats_number', repeated)
}
