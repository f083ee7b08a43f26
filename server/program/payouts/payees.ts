import { getHolder } from '#contract/payout-settings.ts'
import { type Queryable, type Transaction, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { Services } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { emptyInvoices, invoicesEnd } from '../invoicing/records.ts'
import { openDetails, payoutDetailsPlace } from './deposit-details.ts'

// The recipients that exist at Wise.

type OfPayee = { partnerId: string; detailsVersion: string }

/** Known recipients by version of the details, since a recipient at a provider never changes. */
export const knownRecipients = (db: Queryable, accountId: string, profileId: string, payees: OfPayee[]) => db.many<{
  partnerId: string
  recipient: string
}>`
  select r.partner_id, r.recipient_id as recipient
  from wise_recipients r
    join unnest(${payees.map((one) => one.partnerId)}::uuid[], ${payees.map((one) => one.detailsVersion)}::uuid[])
      as p (partner_id, details_version) using (partner_id, details_version)
  where r.account_id = ${accountId} and r.profile_id = ${profileId}`

/** Stores the recipient unless the details have changed. */
export const saveRecipient = (
  db: Queryable,
  accountId: string,
  profileId: string,
  { partnerId, detailsVersion }: OfPayee,
  recipient: string,
) => db.run`
  insert into wise_recipients (account_id, partner_id, details_version, profile_id, recipient_id)
  select account_id, partner_id, version, ${profileId}, ${recipient} from payout_settings
  where account_id = ${accountId} and partner_id = ${partnerId} and version = ${detailsVersion}
  on conflict (partner_id, account_id) do update set details_version = excluded.details_version, profile_id = excluded.profile_id,
    recipient_id = excluded.recipient_id`

export const deleteRecipient = (tx: Transaction, accountId: string, partnerId: string, recipient: string) => tx.run`
  delete from wise_recipients
  where account_id = ${accountId} and partner_id = ${partnerId} and recipient_id = ${recipient}`

/** The last calendar year in which partner `e.subject_id` was paid. */
const lastYear = sql`extract(year from max(coalesce(o.paid_on, o.paid_at::date, o.created_at::date)))::int`

/** The last day of a partner’s records of payments, of payouts in these states; null if there are none. */
export async function recordsUntil(
  db: Queryable,
  { id, payeeYears }: Pick<AccountFacts, 'id' | 'payeeYears'>,
  partnerId: string,
  states: readonly string[] = ['paid'],
): Promise<string | null> {
  const { end } = await db.one<{ end: string | null }>`
    select greatest(make_date(${lastYear} + ${payeeYears}::integer, 12, 31),
      ${invoicesEnd(id, sql`${partnerId}::uuid`, sql`${payeeYears}::integer`)}) as end from payouts o
    where o.account_id = ${id} and o.partner_id = ${partnerId} and o.status = any(${states}::text[])`
  return end
}

/** The last day of the payments' names of erasure `e`, by its account `a`; null if there are none. */
const paymentsEnd = (accountId: string) => sql`(
  select make_date(${lastYear} + a.payee_years, 12, 31) from payouts o
  where o.account_id = ${accountId} and o.partner_id = e.subject_id and o.status = 'paid'
  having bool_or(o.details_sealed is not null))`

/**
 * The last day of the records of erasure `e`, from its account `a`: by the account's years of today while there are any,
 * else the day that was.
 */
export const recordsEnd = (accountId: string) => sql`case when e.subject_type = 'partner' then
  coalesce(greatest(${paymentsEnd(accountId)}, ${invoicesEnd(accountId, sql`e.subject_id`, sql`a.payee_years`)}),
    e.records_until) end`

/**
 * Empties the bank details and tax forms of an erased partner. Those of payouts in the states `kept` are records and stay until their
 * end; one without any gets the name that it was paid to.
 */
export async function emptyPayee(
  tx: Transaction,
  secrets: Secrets,
  accountId: string,
  { id: partnerId, name }: { id: string; name: string },
  kept: readonly string[] = ['paid'],
) {
  await tx.run`delete from wise_recipients where account_id = ${accountId} and partner_id = ${partnerId}`
  await tx.run`
    update payout_settings set details_sealed = null, routing_last4 = null, account_last4 = null, hint = null,
      rejected_reason = null
    where account_id = ${accountId} and partner_id = ${partnerId}`
  await tx.run`
    update payouts set details_sealed = null, payee_hint = null
    where account_id = ${accountId} and partner_id = ${partnerId} and not status = any(${kept}::text[])`
  const unnamed = await tx.many<{ id: string }>`
    select id from payouts
    where account_id = ${accountId} and partner_id = ${partnerId} and status = any(${kept}::text[]) and details_sealed is null`
  const ids = unnamed.map(({ id }) => id)
  const sealed = ids.map((id) => secrets.seal(JSON.stringify({ name }), payoutDetailsPlace(id, accountId)))
  await tx.run`
    update payouts o set details_sealed = v.sealed
    from unnest(${ids}::uuid[], ${sealed}::bytea[]) as v (id, sealed)
    where o.account_id = ${accountId} and o.id = v.id`
  // what was paid may be reported by the tax forms of the time
  await tx.run`
    update tax_forms set form_sealed = null
    where account_id = ${accountId} and partner_id = ${partnerId} and form_sealed is not null
      and not exists (select from payouts o
        where o.account_id = ${accountId} and o.partner_id = ${partnerId} and o.details_sealed is not null)`
}

/**
 * Returns the names that payouts of these erased partners were paid to, by payout: for a statement and the year report,
 * the only readers of these records.
 */
export async function recordedNames(
  db: Queryable,
  secrets: Secrets,
  accountId: string,
  which: Sql,
): Promise<{ partnerId: string; name: string }[]> {
  const rows = await db.many<{ id: string; partnerId: string; sealed: Buffer }>`
    select o.id, o.partner_id, o.details_sealed as sealed from payouts o
      join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where o.account_id = ${accountId} and n.erased_at is not null and o.status = 'paid' and o.details_sealed is not null
      and ${which}
    order by o.paid_on, o.id`
  return rows.flatMap(({ id, partnerId, sealed }) => {
    const details = openDetails(secrets, sealed, payoutDetailsPlace(id, accountId))
    const name = details && getHolder(details)
    return name ? { partnerId, name } : []
  })
}

/** Empties the account’s records of payments to erased partners whose last day has passed. */
export async function emptyOldRecords({ id, timeZone }: AccountFacts, { db }: Pick<Services, 'db'>): Promise<void> {
  const today = dayIn(timeZone, db.now)
  const ended = await db.many<{
    id: string
    partnerId: string
    end: string
    paymentsEnded: boolean
    invoicesEnded: boolean
  }>`
    select * from (
      select e.id, e.subject_id as partner_id, ${recordsEnd(id)} as end, exists (
        select from payouts o where o.account_id = ${id} and o.partner_id = e.subject_id and o.details_sealed is not null)
          and coalesce(${paymentsEnd(id)}, e.records_until) < ${today}::date as payments_ended,
        coalesce(${invoicesEnd(id, sql`e.subject_id`, sql`a.payee_years`)} < ${today}::date, false) as invoices_ended
      from erasures e join accounts a on a.id = e.account_id
      where e.account_id = ${id} and e.subject_type = 'partner') r
    where r.payments_ended or r.invoices_ended`
  for (const { id: erasureId, partnerId, end, paymentsEnded, invoicesEnded } of ended)
    await transaction(db, async (tx) => {
      if (invoicesEnded) await emptyInvoices(tx, id, partnerId)
      if (paymentsEnded) await emptyPayments(tx, id, partnerId)
      await tx.run`update erasures set records_until = ${end}::date where account_id = ${id} and id = ${erasureId}`
    })
}

async function emptyPayments(tx: Transaction, id: string, partnerId: string) {
  await tx.run`
        update payouts set details_sealed = null, payee_hint = null
        where account_id = ${id} and partner_id = ${partnerId} and details_sealed is not null`
  const paid = sql`(
        select o.id from payouts o where o.account_id = ${id} and o.partner_id = ${partnerId} and o.status = 'paid')`
  await tx.run`
        update tax_forms set form_sealed = null
        where account_id = ${id} and partner_id = ${partnerId} and form_sealed is not null`
  await tx.run`
        update payment_file_payouts set recipient_id = null where account_id = ${id} and payout_id in ${paid}`
  await tx.run`delete from wise_batch_payouts where account_id = ${id} and payout_id in ${paid}`
}
