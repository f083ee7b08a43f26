import type { LeadMatchRule, LeadSource, LeadStatus } from '#contract/leads.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type ChangeOf, c, type RowOf, table } from '../../platform/database/table.ts'
import {
  customersFirst,
  foundByEmail,
  hasSales,
  inTime,
  isProtectedSql,
  isWinning,
  type PaidAt,
} from './payment-time.ts'

export const leadTable = table('leads', {
  id: c.uuid.fixed(),
  accountId: c.uuid.fixed(),
  partnerId: c.uuid.null(),
  blueprintId: c.uuid.null(),
  clickId: c.uuid.null(),
  linkId: c.uuid.null(),
  subId: c.text().null(),
  firstName: c.text().null(),
  lastName: c.text().null(),
  email: c.text().null(),
  phone: c.text().null(),
  phoneE164: c.text().null(),
  company: c.text().null(),
  externalId: c.text().null(),
  source: c.text<LeadSource>().fixed(),
  status: c.text<LeadStatus>(),
  statusReason: c.text().null(),
  statusNote: c.text().null(),
  sharedNote: c.text().null(),
  protectedUntil: c.instant.null(),
  landingUrl: c.text().null(),
  referrer: c.text().null(),
  country: c.text().null(),
  metadata: c.json<Record<string, string>>(),
  duplicateOfId: c.uuid.null(),
  attributionModel: c.text<'last-touch' | 'first-touch'>().null(),
  matchedBy: c.text<LeadMatchRule>().null(),
  attributedAt: c.instant.null(),
  lastSeenAt: c.instant.null().unread(),
  erasedAt: c.instant.null().fixed(),
  createdOn: c.date.fixed(),
  createdAt: c.instant.fixed(),
  updatedAt: c.instant.fixed(),
})

export type LeadRow = RowOf<typeof leadTable>
/** A change of a lead's columns. */
export type LeadUpdate = ChangeOf<typeof leadTable>

export const leadColumns = leadTable.from('t')

export const leadById = (db: Queryable, accountId: string, id: string) => db.maybe<LeadRow>`
  select ${leadColumns} from leads t where t.account_id = ${accountId} and t.id = ${id}`

export const leadsByIds = (db: Queryable, accountIds: string[], ids: string[]) => db.many<LeadRow>`
  select ${leadColumns} from ${rowsByKeySql(sql`leads`, accountIds, ids)}`

export const lockLead = (tx: Transaction, accountId: string, id: string) => tx.maybe<LeadRow>`
  select ${leadColumns} from leads t where t.account_id = ${accountId} and t.id = ${id} for no key update`

/**
 * A lead that blocks its e-mail and phone for other partners: open or lost within its protection, or ever a customer.
 */
const holding = (account: Sql, now: Date) =>
  sql`(t.status = 'won' or (t.status in ('new', 'qualified', 'lost') and ${isProtectedSql(now)}) or (t.status <> 'duplicate' and ${hasSales(account)}))`

export type Identity = { email: string | null; phoneE164: string | null; externalId: string | null }
/** A person who is, or may become, a lead of an account. */
export type LeadPerson = Identity & { accountId: string }
export type KnownLead = LeadRow & {
  /** The value that found it. */
  by: 'external-id' | 'email' | 'phone'
  holds: boolean
  hasSales: boolean
}

/**
 * Finds and locks every lead that shares external id, e-mail or phone with the identity: in that order, then protecting
 * leads, the oldest first.
 */
export function leadsLike(db: Transaction, accountId: string, { email, phoneE164, externalId }: Identity) {
  const holds = holding(sql`${accountId}`, db.now)
  return db.many<KnownLead>`
    select ${leadColumns}, ${holds} as holds, ${hasSales(sql`${accountId}`)} as has_sales,
      (case when t.external_id = ${externalId} then 'external-id' when t.email = ${email} then 'email' else 'phone' end) as by
    from leads t
    where t.account_id = ${accountId} and t.id = any(array(
      select id from leads where account_id = ${accountId} and external_id = ${externalId}
      union select id from leads where account_id = ${accountId} and email = ${email}
      union select id from leads where account_id = ${accountId} and phone_e164 = ${phoneE164}))
    order by (t.external_id is not distinct from ${externalId} and ${externalId}::text is not null) desc,
      (t.email is not distinct from ${email} and ${email}::text is not null) desc,
      ${holds} desc, t.created_at, t.id
    for no key update of t`
}

/** Whether a person with this e-mail has bought already without credit to a partner. */
export const isUncreditedPayer = async (db: Queryable, accountId: string, email: string) =>
  (
    await db.one<{ pays: boolean }>`
      select exists (select from sales
        where account_id = ${accountId} and payer_email = ${email} and partner_id is null and status <> 'void' and not is_test) as pays`
  ).pays

/**
 * Serializes transactions that enter these people, so that each gets only one lead, and those of forms with these ids.
 */
export const lockIdentities = (tx: Transaction, accountId: string, identities: Identity[], formIds: string[] = []) =>
  lockNames(
    tx,
    identities.map((identity) => ({ ...identity, accountId })),
    formIds.map((id) => `lead s ${accountId} ${id}`),
  )

/** Like `lockIdentities`, for people of several accounts. */
export async function lockNames(tx: Transaction, people: LeadPerson[], others: string[] = []) {
  const keys = people.flatMap(({ accountId, email, phoneE164, externalId }) => [
    email ? `lead e ${accountId} ${email}` : [],
    phoneE164 ? `lead p ${accountId} ${phoneE164}` : [],
    externalId ? `lead x ${accountId} ${externalId}` : [],
  ])
  await lockKeys(tx, [...keys.flat(), ...others])
}

/**
 * Locks the leads of these people of these accounts, and these by id, in one statement and in the order of their ids.
 */
export const lockLeadsOfPeople = (tx: Transaction, accountIds: string[], people: LeadPerson[], ids: string[]) => tx.run`
  select from ${rowsByKeySql(sql`leads`, accountIds, idsOf(accountIds, people, ids), { lock: sql`for no key update` })}`

/** Ids of these leads. */
const idsOf = (accountIds: string[], people: LeadPerson[], ids: string[]) => sql`
  select unnest(${ids}::uuid[])
  union all
  select l.id
  from unnest(${people.map((one) => one.accountId)}::uuid[], ${people.map((one) => one.email)}::text[],
      ${people.map((one) => one.phoneE164)}::text[], ${people.map((one) => one.externalId)}::text[])
      as p (account_id, email, phone_e164, external_id)
    cross join lateral (
      select id from leads where account_id = ${eachAccount(accountIds, sql`p.account_id`)} and external_id = p.external_id
      union select id from leads where account_id = ${eachAccount(accountIds, sql`p.account_id`)} and email = p.email
      union select id from leads where account_id = ${eachAccount(accountIds, sql`p.account_id`)} and phone_e164 = p.phone_e164) l`

export const touchLead = (tx: Transaction, accountId: string, id: string) =>
  tx.run`update leads set last_seen_at = ${tx.now} where account_id = ${accountId} and id = ${id}`

/** Finds a partner's own attempt to register another partner's lead. */
export const duplicateBy = (db: Queryable, leadId: string, accountId: string, partnerId: string) =>
  db.maybe<{ id: string }>`
    select id from leads
    where account_id = ${accountId} and partner_id = ${partnerId} and duplicate_of_id = ${leadId}
    order by created_at, id limit 1`

export const lockDuplicates = (tx: Transaction, accountId: string, leadId: string) => tx.many<LeadRow>`
  select ${leadColumns} from leads t
  where t.account_id = ${accountId} and t.status = 'duplicate' and t.duplicate_of_id = ${leadId}
  order by t.created_at, t.id for no key update`

export const salesOfLead = async (db: Queryable, accountId: string, leadId: string) =>
  (
    await db.one<{ sales: number }>`
      select count(*) as sales from sales where account_id = ${accountId} and lead_id = ${leadId}`
  ).sales

/** Whether a sale that wins the lead is credited to a partner. */
export const hasCreditedSale = (db: Queryable, accountId: string, leadId: string) => db.value<boolean>`
  select exists (select from sales
    where account_id = ${accountId} and lead_id = ${leadId} and partner_id is not null and ${isWinning})`

export const hasPay = (db: Queryable, accountId: string, leadId: string) => db.value<boolean>`
  select exists (select from commission_entries where account_id = ${accountId} and lead_id = ${leadId})`

export async function deleteLeadRow(tx: Transaction, accountId: string, id: string) {
  await tx.run`update sales set test_lead_id = null where account_id = ${accountId} and test_lead_id = ${id}`
  await tx.run`delete from leads where account_id = ${accountId} and id = ${id}`
}

const hasRunOut = (now: Date) => sql`status in ('new', 'qualified') and protected_until <= ${now}`

/**
 * Finds leads without an answer whose protection has ended, at most `limit`. Customers never expire, not even ones whose
 * sales were all refunded or free: they stay with their first partner.
 */
export const runOut = (db: Queryable, limit: number) => db.many<{ accountId: string; id: string }>`
  select account_id, id from leads t where ${hasRunOut(db.now)} and not ${hasSales(sql`t.account_id`)}
  order by protected_until limit ${limit}`

/** Locks those of these leads whose protection has ended, skipping locked ones. */
export const lockRunOut = (tx: Transaction, accountId: string, ids: string[]) => tx.many<LeadRow>`
  select ${leadColumns} from ${rowsByKeySql(sql`leads`, [accountId], ids, {
    only: hasRunOut(tx.now),
    lock: sql`for no key update skip locked`,
  })}`

/** Expires those of these locked leads that have not bought; returns their ids. */
export const setExpired = (tx: Transaction, accountId: string, ids: string[]) => tx.many<{ id: string }>`
  update leads t set status = 'expired', updated_at = ${tx.now}
  where t.account_id = ${accountId} and t.id = any(${ids}::uuid[]) and not ${hasSales(sql`${accountId}`)}
  returning t.id`

/** A form by the ID that its page gave it, and the same visitor's earlier one. `corrects`: its email was wrong. */
export type VisitorsForm = { id: string; joins: string | null; corrects: boolean }

/** A form that was received, with its lead. */
type ReceivedForm = Identity & { clientId: string; leadId: string; corrects: boolean }

/** Returns the forms that are this one, the one it joins, or one that joins it and came first. */
export const formsLike = (db: Queryable, accountId: string, { id, joins }: VisitorsForm) => db.many<ReceivedForm>`
  select f.client_id, f.lead_id, f.corrects, l.email, l.phone_e164, l.external_id
  from (
      select client_id, lead_id, corrects from lead_submissions
      where account_id = ${accountId} and client_id = any(${[id, joins]}::uuid[])
      union all
      select client_id, lead_id, corrects from lead_submissions where account_id = ${accountId} and joins_client_id = ${id}) f
    join leads l on l.account_id = ${accountId} and l.id = f.lead_id
  order by f.client_id`

type Submission = {
  id: string
  accountId: string
  leadId: string
  source: LeadSource
  body: string
  form: VisitorsForm | undefined
}

/** Stores a submission; keeps at most `most` per lead: the first and the newest. */
export const insertSubmission = (
  tx: Transaction,
  { id, accountId, leadId, source, body, form }: Submission,
  most: number,
) => tx.run`
  with superfluous as (
    delete from lead_submissions where account_id = ${accountId} and id in (
      (select id from lead_submissions where account_id = ${accountId} and lead_id = ${leadId}
        order by created_at desc, id desc offset ${most - 2})
      except (select id from lead_submissions where account_id = ${accountId} and lead_id = ${leadId}
        order by created_at, id limit 1))
  )
  insert into lead_submissions (id, account_id, lead_id, source, body, client_id, joins_client_id, corrects, created_at)
  values (${id}, ${accountId}, ${leadId}, ${source}, ${body}, ${form?.id}, ${form?.joins}, ${form?.corrects}, ${tx.now})`

/** A candidate lead for a payment. `inTime`: its referral came before the payment, or it has none. */
export type PayersLead = {
  leadId: string
  partnerId: string | null
  hasSales: boolean
  rejected: boolean
  inTime: boolean
}

const payersLead = (accountId: string, { referredBy }: PaidAt) => sql`t.id as lead_id, t.partner_id,
  ${hasSales(sql`${accountId}`)} as has_sales, t.status = 'rejected' as rejected, ${inTime(sql`${referredBy}::timestamptz`)} as in_time`

export const leadOfCustomer = (
  db: Queryable,
  accountId: string,
  { shopId, id }: { shopId: string; id: string },
  paid: PaidAt,
) => db.maybe<PayersLead>`
  select ${payersLead(accountId, paid)} from shop_customers c join leads t on t.account_id = c.account_id and t.id = c.lead_id
  where c.account_id = ${accountId} and c.shop_id = ${shopId} and c.customer_id = ${id}`

/** Finds a lead by external id; for a duplicate its original. */
export const leadOfExternalId = (db: Queryable, accountId: string, externalId: string, paid: PaidAt) =>
  db.maybe<PayersLead>`
    select ${payersLead(accountId, paid)} from leads named
      join leads t on t.account_id = named.account_id and t.id = coalesce(named.duplicate_of_id, named.id)
    where named.account_id = ${accountId} and named.external_id = ${externalId}`

/** Finds a lead by e-mail: open, won or lost, and either a customer already or within its protection. */
export const leadOfEmail = (db: Queryable, accountId: string, email: string, paid: PaidAt) => db.maybe<PayersLead>`
  select ${payersLead(accountId, paid)} from leads t
  where t.account_id = ${accountId} and t.email = ${email} and ${foundByEmail(sql`${accountId}`, paid.at)}
  order by ${inTime(sql`${paid.referredBy}::timestamptz`)} desc, t.status = 'rejected', ${customersFirst}
  limit 1`

export const leadOfClick = (db: Queryable, accountId: string, clickId: string, paid: PaidAt) => db.maybe<PayersLead>`
  select ${payersLead(accountId, paid)} from leads t
  where t.account_id = ${accountId} and t.click_id = ${clickId} and t.status <> 'duplicate'
  order by t.created_at, t.id limit 1`

/**
 * Returns the strictest effect of the self-referral policy on the sales of each of these leads; an ended hold does not
 * count.
 */
export const findSelfReferrals = (db: Queryable, accountId: string, leadIds: string[]) => db.many<{
  leadId: string
  policy: 'refuse' | 'hold' | 'flag'
}>`
  select distinct on (lead_id) lead_id, policy from (
    select lead_id, hold_policy as policy from sales
    where account_id = ${accountId} and lead_id = any(${leadIds}::uuid[]) and hold_rule = 'self-referral' and status <> 'void'
      and (hold_policy <> 'hold' or held_until > ${db.now})
  ) s order by lead_id, array_position(array['refuse', 'hold', 'flag'], policy)`

/** Finds the lead with this id; for a duplicate its original. */
export const originalLead = (db: Queryable, accountId: string, id: string, paid: PaidAt) =>
  db.maybe<PayersLead>`
    select ${payersLead(accountId, paid)} from leads named
      join leads t on t.account_id = named.account_id and t.id = coalesce(named.duplicate_of_id, named.id)
    where named.account_id = ${accountId} and named.id = ${id}`

export const insertCustomer = (
  tx: Transaction,
  accountId: string,
  { shopId, customerId, leadId }: { shopId: string; customerId: string; leadId: string },
) => tx.run`
  insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
  values (${accountId}, ${shopId}, ${customerId}, ${leadId}, ${tx.now})
  on conflict (account_id, shop_id, customer_id) do nothing`
