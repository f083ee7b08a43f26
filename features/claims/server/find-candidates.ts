import type { LeadStatus } from '#contract/leads.ts'
import type { MatchRule, Sale } from '#contract/sales.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import { joinSql, type Sql, sql } from '#server/platform/database/sql.ts'
import { searchFilter } from '#server/platform/http/list.ts'
import { addDays, dayIn, startOfDay } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import type { TriedRule } from '#server/program/leads/match-rules.ts'
import { searchedOfSale } from '#server/program/sales/sale-filters.ts'
import { CLAIM_DAYS } from '../contract.ts'
import { holdsOrder, orderIdSpellings, toOrderKey } from './order-key.ts'
import type { ClaimRow } from './queries.ts'

/** Most sales and most leads found for a claim. */
const MOST = 50
/** Most sales read whose text contains the order ID: it may be part of a longer number. */
const MOST_READ = 200
/** Shorter order IDs are part of too many texts, and no index finds them. */
const SHORTEST_SEARCHED = 3

export type Days = { from: string; to: string }

/**
 * The days searched for a claim: those before the day that it names, or on which it was made. Its partner may be in
 * another time zone, hence the day after.
 */
export function searchedDays({ day, createdAt }: Pick<ClaimRow, 'day' | 'createdAt'>, timeZone: string): Days {
  const named = day ?? dayIn(timeZone, new Date(createdAt))
  return { from: addDays(named, -CLAIM_DAYS), to: addDays(named, 1) }
}

/** A sale that may be the one of a claim, with all that may lead to the partner. */
export type SaleFacts = {
  id: string
  leadId: string | null
  partnerId: string | null
  day: string
  amount: number
  currency: string
  status: Sale['status']
  isTest: boolean
  externalId: string | null
  subscriptionId: string | null
  customerId: string | null
  payerEmail: string | null
  description: string | null
  matchedBy: MatchRule | null
  evidence: TriedRule[] | null
  leadStatus: LeadStatus | null
  leadPartnerId: string | null
  leadEmail: string | null
  leadExternalId: string | null
  clickId: string | null
  isErased: boolean
  /** The lead that the payer's e-mail finds for a sale without one. */
  payersPartnerId: string | null
  payersStatus: LeadStatus | null
  payerBought: boolean
  customersPartnerId: string | null
  customersEmail: string | null
  externalPartnerId: string | null
  /** The partner's codes among those that the buyer entered. */
  codes: string[]
  /** The partner has, or registered, a lead with the payer's e-mail. */
  hasEmail: boolean
}

/** Finds the sales that fit what a claim names, and unattributed ones that lead to its partner; the latest first. */
export async function salesFor(
  db: Queryable,
  { id: accountId, timeZone }: AccountFacts,
  claim: ClaimRow,
  days: Days,
): Promise<SaleFacts[]> {
  const { partnerId, orderId, email } = claim
  const ways: Sql[] = []
  const way = (from: Sql, where: Sql) =>
    ways.push(sql`(select t.id from ${from} where t.account_id = ${accountId}
    and t.sale_date between ${days.from}::date and ${days.to}::date and ${where} limit ${MOST_READ})`)
  const sales = sql`sales t`
  // few rows have no partner: their own index finds them
  const unattributed = sql`t.partner_id is null and t.created_at >= ${startOfDay(days.from, timeZone)}`
  if (orderId) {
    const spelled = orderIdSpellings(orderId)
    way(sales, sql`t.external_id = any(${spelled})`)
    way(sales, sql`t.subscription_id = any(${spelled})`)
    way(sales, sql`${unattributed} and t.customer_id = any(${spelled})`)
    const key = toOrderKey(orderId)
    if ([...key].length >= SHORTEST_SEARCHED) way(sales, searchFilter(searchedOfSale, accountId, key)!)
    way(
      sql`leads l join sales t on t.account_id = ${accountId} and t.lead_id = l.id`,
      sql`l.account_id = ${accountId} and l.external_id = any(${spelled})`,
    )
  }
  if (email) {
    way(sales, sql`t.partner_id is null and t.payer_email = ${email}`)
    way(sales, sql`${searchFilter(searchedOfSale, accountId, email)!} and t.payer_email = ${email}`)
    way(
      sql`leads l join sales t on t.account_id = ${accountId} and t.lead_id = l.id`,
      sql`l.account_id = ${accountId} and l.email = ${email}`,
    )
    way(
      sales,
      sql`${unattributed} and exists (select from shop_customers c join leads l on l.account_id = c.account_id and l.id = c.lead_id
        where c.account_id = ${accountId} and c.shop_id = t.shop_id and c.customer_id = t.customer_id and l.email = ${email})`,
    )
  }
  way(
    sales,
    sql`${unattributed} and (t.match_evidence @> ${JSON.stringify([{ partnerId }])}::jsonb or exists (
      select from promotion_codes p join unnest(t.promotion_codes) as given (code) on lower(p.code) = lower(given.code)
      where p.account_id = ${accountId} and p.partner_id = ${partnerId}))`,
  )
  const found = await db.many<SaleFacts>`
    with found as materialized (${joinSql(ways, ' union ')})
    select t.id, t.lead_id, t.partner_id, t.sale_date as day, t.amount, t.currency, t.status, t.is_test, t.external_id,
      t.subscription_id, t.customer_id, t.payer_email, t.description, t.matched_by, t.match_evidence as evidence,
      l.status as lead_status, l.partner_id as lead_partner_id, l.email as lead_email, l.external_id as lead_external_id,
      l.click_id, l.erased_at is not null as is_erased,
      payer.partner_id as payers_partner_id, payer.status as payers_status, payer.bought is true as payer_bought,
      customer.partner_id as customers_partner_id, customer.email as customers_email,
      (select e.partner_id from leads e where e.account_id = ${accountId} and e.external_id = t.customer_id)
        as external_partner_id,
      array(select p.code from promotion_codes p join unnest(t.promotion_codes) as given (code)
          on lower(p.code) = lower(given.code)
        where p.account_id = ${accountId} and p.partner_id = ${partnerId} order by p.code) as codes,
      exists (select from leads o where o.account_id = ${accountId} and o.partner_id = ${partnerId}
        and o.email in (t.payer_email, l.email)) as has_email
    from found join sales t on t.account_id = ${accountId} and t.id = found.id
      left join leads l on l.account_id = ${accountId} and l.id = coalesce(t.lead_id, t.test_lead_id)
      left join lateral (select o.partner_id, o.status, exists (select from sales b
          where b.account_id = ${accountId} and b.lead_id = o.id) as bought from leads o
        where t.lead_id is null and o.account_id = ${accountId} and o.email = t.payer_email and o.status <> 'duplicate'
        order by o.status = 'rejected', o.created_at, o.id limit 1) payer on true
      left join lateral (select o.partner_id, o.email from shop_customers c
          join leads o on o.account_id = c.account_id and o.id = c.lead_id
        where c.account_id = ${accountId} and c.shop_id = t.shop_id and c.customer_id = t.customer_id limit 1) customer on true
    order by t.sale_date desc, t.id desc limit ${MOST_READ}`
  return found.filter((sale) => fitsAtAll(claim, sale)).slice(0, MOST)
}

/** Whether a sale fits for more than a longer number that contains the order ID. */
const fitsAtAll = (claim: ClaimRow, sale: SaleFacts) =>
  namedBySale(claim, sale).length > 0 || (sale.partnerId === null && leadsTo(claim.partnerId, sale))

const leadsTo = (partnerId: string, { evidence, codes }: SaleFacts) =>
  codes.length > 0 || (evidence ?? []).some((tried) => tried.partnerId === partnerId)

/** Returns how a sale fits what a claim names, in words. */
export function namedBySale({ orderId, email }: ClaimRow, sale: SaleFacts): string[] {
  const is = (value: string | null) => orderId !== null && value !== null && toOrderKey(value) === toOrderKey(orderId)
  const holds = (value: string | null) => orderId !== null && value !== null && holdsOrder(value, orderId)
  const isEmail = (value: string | null) => email !== null && value === email
  return inWords([
    [is(sale.externalId), 'It has this order ID'],
    [!is(sale.externalId) && (holds(sale.externalId) || holds(sale.description)), 'Its text contains the order ID'],
    [is(sale.subscriptionId), 'It has this subscription ID'],
    [is(sale.customerId), 'It has this customer ID'],
    [is(sale.leadExternalId), 'Its lead has this external ID'],
    [isEmail(sale.payerEmail), 'It was paid with this email'],
    [isEmail(sale.leadEmail), 'Its lead has this email'],
    [
      isEmail(sale.customersEmail) && !isEmail(sale.leadEmail),
      'The payment provider’s customer is the lead with this email',
    ],
  ])
}

/** A lead that may be the customer of a claim. */
export type CandidateLead = {
  id: string
  partnerId: string | null
  day: string
  status: LeadStatus
  email: string | null
  externalId: string | null
  clickId: string | null
  isErased: boolean
  /** The partner registered the same person too. */
  isRegistered: boolean
  /** The partner's codes that the lead's sales used. */
  codes: string[]
}

/** Finds the leads that have what a claim names, whenever they were made; the latest first. */
export const leadsFor = (db: Queryable, accountId: string, { partnerId, orderId, email }: ClaimRow, { to }: Days) =>
  db.many<CandidateLead>`
    select t.id, t.partner_id, t.created_on as day, t.status, t.email, t.external_id, t.click_id,
      t.erased_at is not null as is_erased,
      exists (select from leads o where o.account_id = ${accountId} and o.duplicate_of_id = t.id
        and o.partner_id = ${partnerId}) as is_registered,
      array(select distinct p.code from sales s cross join unnest(s.promotion_codes) as given (code)
          join promotion_codes p on lower(p.code) = lower(given.code)
        where s.account_id = ${accountId} and s.lead_id = t.id and p.account_id = ${accountId}
          and p.partner_id = ${partnerId} order by p.code) as codes
    from leads t
    where t.account_id = ${accountId} and t.created_on <= ${to}::date and t.id in (
      select id from leads where account_id = ${accountId} and email = ${email}
      union all
      select id from leads where account_id = ${accountId} and external_id = any(${orderId ? orderIdSpellings(orderId) : []}))
    order by t.created_at desc, t.id desc limit ${MOST}`

/** Returns how a lead fits what a claim names, in words. */
export const namedByLead = ({ orderId, email }: ClaimRow, lead: CandidateLead): string[] =>
  inWords([
    [email !== null && lead.email === email, 'It has this email'],
    [
      orderId !== null && lead.externalId !== null && toOrderKey(lead.externalId) === toOrderKey(orderId),
      'It has this external ID',
    ],
  ])

const inWords = (all: [boolean, string][]) => all.filter(([holds]) => holds).map(([, words]) => words)

type Asked = Pick<ClaimRow, 'id' | 'partnerId' | 'orderId' | 'email' | 'day' | 'createdAt'>

/** Returns those of these open claims whose sale is their partner's by now. */
export async function creditedAmong(
  db: Queryable,
  { id, timeZone }: AccountFacts,
  claims: Asked[],
): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const searches = claims.map((claim) => {
    const { from, to } = searchedDays(claim, timeZone)
    const order_ids = claim.orderId === null ? [] : orderIdSpellings(claim.orderId)
    return { id: claim.id, partner_id: claim.partnerId, email: claim.email, order_ids, from_day: from, to_day: to }
  })
  const counts = sql`s.partner_id = c.partner_id and s.status <> 'void' and not s.is_test
    and s.sale_date between c.from_day and c.to_day`
  const rows = await db.many<{ id: string }>`
    select c.id from jsonb_to_recordset(${JSON.stringify(searches)}::jsonb)
      as c (id uuid, partner_id uuid, email text, order_ids text[], from_day date, to_day date)
    where exists (select from sales s
        where s.account_id = ${id} and s.external_id = any(c.order_ids) and ${counts})
      or exists (select from leads l join sales s on s.account_id = ${id} and s.lead_id = l.id
        where l.account_id = ${id} and l.email = c.email and ${counts})`
  return new Set(rows.map((row) => row.id))
}
