import type { FraudRules } from '#contract/fraud.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { isOpenCase } from './fraud-cases.ts'
import { toFraudRules } from './rules.ts'

/** A sale and the facts about it that rules need. */
type Asked = {
  id: string
  accountId: string
  partnerId: string
  leadId: string | null
  /** Its own click, if it isn't its lead's. */
  clickId: string | null
  shopId: string | null
  /** Of its shop; another shop may use the same one. */
  customerId: string | null
  leadEmail: string | null
  payerEmail: string | null
  cardHash: Buffer | null
  referrerEmails: string[]
  /** The day of the referral. */
  referredOn: string
  /** The first of the partner's 90 days. */
  since: string
  card: boolean
  click: boolean
  earlier: boolean
  refunds: boolean
  cases: boolean
}

export type FactsOfSale = {
  id: string
  referrerHost: string | null
  /** Null: the visit was not paid for. */
  paidParameters: string[] | null
  /** The customer's first sale before the referral. */
  boughtOn: string | null
  /** Its card paid another sale, whose lead or payer has an e-mail of the referrer. */
  ownCard: boolean
  customers: number
  refunded: number
  /** Open cases with a hold, of its partner and of its lead with this partner. */
  openCases: { id: string; leadId: string | null; heldUntil: string }[]
}

const column = <K extends keyof Asked>(rows: Asked[], key: K) => rows.map((row) => row[key])

/** The open cases of partner `n.partner_id`, and of lead `n.lead_id` with them, that hold what is booked now. */
const openHolds = (account: Sql, now: Date, only: Sql = sql`true`) => sql`(
  select * from fraud_cases c
  where ${only} and c.account_id = ${account} and c.partner_id = n.partner_id and c.sale_id is null
    and (c.lead_id is null or c.lead_id = n.lead_id) and c.action = 'hold' and ${isOpenCase(now)}
  order by c.id offset 0 for share)`

/** The rule whose open cases hold what is booked for a lead or its partner, while it is on. */
export const ruleOfCase = ({ leadId }: { leadId: string | null }) =>
  leadId ? (['speed', 'speed'] as const) : (['duplicate-partner', 'duplicatePartner'] as const)

export const isOn = ({ action }: { action: FraudRules['speed']['action'] }) => action !== 'off'

export const holdsByCases = (rules: FraudRules) => isOn(rules.duplicatePartner) || isOn(rules.speed)

/**
 * Returns the cases that hold what is paid for leads from now on, by lead, share-locked as those of sales. One statement
 * if the rules of an account open such cases.
 */
export async function casesHoldingLeads(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  leads: { id: string; accountId: string; partnerId: string }[],
): Promise<Map<string, string[]>> {
  const eligible = leads.filter(({ accountId }) => holdsByCases(toFraudRules(accounts.get(accountId)!)))
  if (eligible.length === 0) return new Map()
  const accountIds = eligible.map(({ accountId }) => accountId)
  const rows = await tx.many<{ id: string; accountId: string; of: string; leadId: string | null }>`
    select c.id, c.account_id, n.lead_id as of, c.lead_id
    from unnest(${accountIds}::uuid[], ${eligible.map(({ id }) => id)}::uuid[], ${eligible.map(({ partnerId }) => partnerId)}::uuid[])
        as n (account_id, lead_id, partner_id)
      cross join lateral ${openHolds(eachAccount(accountIds, sql`n.account_id`), tx.now)} c`
  const holding = rows.filter((row) => isOn(toFraudRules(accounts.get(row.accountId)!)[ruleOfCase(row)[1]]))
  return new Map([...Map.groupBy(holding, (row) => row.of)].map(([leadId, of]) => [leadId, of.map(({ id }) => id)]))
}

/**
 * Reads the facts of sales in one statement. Cases are share-locked: a decision about one waits for the booking, so it
 * releases the sale too.
 */
export async function factsOfSales(tx: Transaction, sales: Asked[]): Promise<Map<string, FactsOfSale>> {
  if (sales.length === 0) return new Map()
  const of = <K extends keyof Asked>(key: K) => column(sales, key)
  const account = eachAccount(of('accountId'), sql`n.account_id`)
  const rows = await tx.many<Omit<FactsOfSale, 'openCases'> & { cases: FactsOfSale['openCases'] | null }>`
    with held as materialized (
      select n.id as of_id, c.id, c.lead_id, c.held_until
      from unnest(${of('id')}::uuid[], ${of('accountId')}::uuid[], ${of('partnerId')}::uuid[], ${of('leadId')}::uuid[],
          ${of('cases')}::boolean[]) as n (id, account_id, partner_id, lead_id, cases)
        cross join lateral ${openHolds(account, tx.now, sql`n.cases`)} c
    )
    select n.id, k.referrer_host, k.paid_parameters, coalesce(p.customers, 0) as customers,
      coalesce(p.refunded, 0) as refunded,
      case when n.earlier then (
        select min(e.sale_date)::text from (
          select sale_date from sales where account_id = ${account} and lead_id = n.lead_id and id <> n.id
            and status <> 'void' and not is_test
          union all
          select sale_date from sales where account_id = ${account} and partner_id is null and id <> n.id
            and payer_email in (n.payer_email, n.lead_email) and status <> 'void' and not is_test
          union all
          select sale_date from sales where account_id = ${account} and partner_id is null and id <> n.id
            and customer_id = n.customer_id and shop_id is not distinct from n.shop_id and status <> 'void' and not is_test
          union all
          select s.sale_date from leads l join sales s on s.account_id = ${account} and s.lead_id = l.id
          where l.account_id = ${account} and l.email in (n.payer_email, n.lead_email) and s.id <> n.id
            and s.status <> 'void') e
        where e.sale_date < n.referred_on) end as bought_on,
      n.card_hash is not null and exists (
        select from jsonb_array_elements_text(n.own_emails) as own (email)
          -- 'limit' makes it search by card and email, since many sales may have one card
          cross join lateral (
            select from sales e
            where e.account_id = ${account} and e.card_hash = n.card_hash and lower(e.payer_email) = own.email
              and e.id <> n.id limit 1) e
        union all
        select from jsonb_array_elements_text(n.own_emails) as own (email)
          join leads l on l.account_id = ${account} and l.email = own.email
          join sales e on e.account_id = ${account} and e.lead_id = l.id and e.card_hash = n.card_hash
        where e.id <> n.id) as own_card,
      (select jsonb_agg(jsonb_build_object('id', held.id, 'leadId', held.lead_id, 'heldUntil', to_json(held.held_until))
        order by held.held_until desc, held.id) from held where held.of_id = n.id) as cases
    from unnest(${of('id')}::uuid[], ${of('accountId')}::uuid[], ${of('partnerId')}::uuid[], ${of('leadId')}::uuid[],
        ${of('shopId')}::uuid[], ${of('customerId')}::text[], ${of('leadEmail')}::text[], ${sales.map(({ payerEmail }) => payerEmail?.toLowerCase() ?? null)}::text[],
        ${of('referredOn')}::date[], ${of('since')}::date[], ${of('click')}::boolean[], ${of('earlier')}::boolean[],
        ${of('refunds')}::boolean[], ${sales.map(({ card, cardHash }) => (card ? cardHash : null))}::bytea[],
        ${sales.map(({ card, referrerEmails }) => (card ? JSON.stringify(referrerEmails) : null))}::jsonb[], ${of('clickId')}::uuid[])
      as n (id, account_id, partner_id, lead_id, shop_id, customer_id, lead_email, payer_email, referred_on,
        since, click, earlier, refunds, card_hash, own_emails, click_id)
      left join lateral (
        select k.referrer_host, k.paid_parameters
        from leads l join clicks k on k.account_id = ${account} and k.id = coalesce(n.click_id, l.click_id)
        where n.click and l.account_id = ${account} and l.id = n.lead_id and k.partner_id = n.partner_id) k on true
      left join lateral (
        select count(distinct s.lead_id) as customers,
          count(distinct s.lead_id) filter (where s.refunded_amount > 0) as refunded
        from sales s
        where n.refunds and s.account_id = ${account} and s.partner_id = n.partner_id and s.sale_date >= n.since
          and s.status <> 'void' and s.id <> n.id) p on true`
  return new Map(
    rows.map(({ cases, ...row }) => [
      row.id,
      { ...row, openCases: (cases ?? []).map((one) => ({ ...one, heldUntil: new Date(one.heldUntil).toISOString() })) },
    ]),
  )
}
