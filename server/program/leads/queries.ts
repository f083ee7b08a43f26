import type { LeadMatchRule, LeadSource, LeadStatus, NoRewardReason } from '#contract/leads.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import { type LockKey, lockKeys } from '../../platform/database/lock-keys.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, type Sql, sql } from '../../platform/database/sql.ts'
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
    formIds.map((id) => ({ accountId, name: `lead s ${accountId} ${id}` })),
  )

/** Like `lockIdentities`, for people of several accounts. */
export async function lockNames(tx: Transaction, people: LeadPerson[], others: LockKey[] = []) {
  const keys = people.flatMap(({ accountId, email, phoneE164, externalId }) =>
    [
      email ? `lead e ${accountId} ${email}` : [],
      phoneE164 ? `lead p ${accountId} ${phoneE164}` : [],
      externalId ? `lead x ${accountId} ${externalId}` : [],
    ]
      .flat()
      .map((name) => ({ accountId, name })),
  )
  await lockKeys(tx, [...keys, ...others])
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

type Payer = {
  /** Ids that may be a lead's, or a click's that made one. */
  ids: string[]
  customer: { shopId: string; id: string } | null | undefined
  email: string | undefined
}
/** `given`: the id that names it, if one does. */
type LeadOfPayment = PayersLead & {
  rule: 'click' | 'lead-id' | 'customer' | 'external-id' | 'email'
  given: string | null
}

/**
 * Finds the leads that a payment may be of, in one statement: those with these ids, those that these clicks made, the one of
 * the provider's customer, the one whose external id is the customer, and the one that the e-mail finds: open, won or lost,
 * and either a customer already or within its protection. For a duplicate, an id finds its original.
 */
export async function leadsOfPayment(db: Queryable, accountId: string, { ids, customer, email }: Payer, paid: PaidAt) {
  const account = sql`${accountId}`
  const found = sql`t.id as lead_id, t.partner_id, ${hasSales(account)} as has_sales, t.status = 'rejected' as rejected,
    ${inTime(sql`${paid.referredBy}::timestamptz`)} as in_time`
  const named = sql`join leads t on t.account_id = ${account} and t.id = coalesce(named.duplicate_of_id, named.id)`
  const ways: Sql[] = []
  if (ids.length > 0)
    ways.push(
      sql`select 'lead-id' as rule, given.id as given, ${found}
        from unnest(${ids}::uuid[]) as given (id) cross join lateral (
          select * from leads where account_id = ${account} and id = given.id offset 0) named ${named}`,
      sql`select 'click', given.id, made.* from unnest(${ids}::uuid[]) as given (id) cross join lateral (
          select ${found} from leads t where t.account_id = ${account} and t.click_id = given.id and t.status <> 'duplicate'
          order by t.created_at, t.id limit 1) made`,
    )
  if (customer)
    ways.push(
      sql`select 'customer' as rule, null::uuid as given, ${found} from shop_customers c
          join leads t on t.account_id = ${account} and t.id = c.lead_id
        where c.account_id = ${account} and c.shop_id = ${customer.shopId} and c.customer_id = ${customer.id}`,
      sql`select 'external-id', null::uuid, ${found} from leads named ${named}
        where named.account_id = ${account} and named.external_id = ${customer.id}`,
    )
  if (email)
    ways.push(sql`select 'email' as rule, null::uuid as given, mailed.* from (
        select ${found} from leads t where t.account_id = ${account} and t.email = ${email} and ${foundByEmail(account, paid.at)}
        order by in_time desc, t.status = 'rejected', ${customersFirst} limit 1) mailed`)
  return ways.length > 0 ? db.many<LeadOfPayment>`${joinSql(ways, ' union all ')}` : []
}

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

/**
 * Returns why customers get no reward for those of these leads that they referred. A friend who has earned them something
 * once has only lost it by refunds.
 */
export const findNoRewards = (db: Queryable, accountId: string, leadIds: string[]) => db.many<{
  leadId: string
  reason: NoRewardReason
}>`
  select lead_id, reason from (
    select l.id as lead_id, case
      when e.entries > 0 then case when e.amount <= 0 then 'refunded' end
      when l.status = 'rejected' and l.status_reason = 'existing-customer' then 'paid-before'
      else coalesce(s.reason, (
        select unpaid from (values (l.credit -> 'new-customer' ->> 'unpaid'), (l.credit -> 'qualified-lead' ->> 'unpaid')) as u (unpaid)
        where unpaid in ('self-referral', 'paid-before') limit 1))
      end as reason
    from leads l
      cross join lateral (
        select count(*) as entries, sum(c.amount) as amount from (
          select amount, partner_id from commission_entries where account_id = ${accountId} and lead_id = l.id
          union all
          select t.amount, t.partner_id from sales s join commission_entries t on t.account_id = ${accountId} and t.sale_id = s.id
          where s.account_id = ${accountId} and s.lead_id = l.id) c
        where c.partner_id = l.partner_id) e
      left join lateral (
        select case hold_rule when 'existing-customer' then 'paid-before' else 'self-referral' end as reason from sales
        where account_id = ${accountId} and lead_id = l.id and hold_policy = 'refuse' and status <> 'void'
          and hold_rule in ('self-referral', 'existing-customer')
        order by sale_date, id limit 1) s on true
    where l.account_id = ${accountId} and l.id = any(${leadIds}::uuid[])
      -- a value and no join: of these leads alone, whatever the planner expects of the customers
      and (select g.kind from partners p join groups g on g.account_id = ${accountId} and g.id = p.group_id
        where p.account_id = ${accountId} and p.id = l.partner_id) = 'customers') r
  where reason is not null`

export const insertCustomer = (
  tx: Transaction,
  accountId: string,
  { shopId, customerId, leadId }: { shopId: string; customerId: string; leadId: string },
) => tx.run`
  insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
  values (${accountId}, ${shopId}, ${customerId}, ${leadId}, ${tx.now})
  on conflict (account_id, shop_id, customer_id) do nothing`
