import { toProportion } from '#contract/money.ts'
import type { Terms } from '#contract/terms.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { type Referred, termsInForce } from '../terms/in-force.ts'
import { askedOfLead, dependsOnPlace } from '../terms/match.ts'
import { arePercentages, layerCount, type SaleTerms } from '../terms/plan.ts'
import { toPpm } from '../terms/rates.ts'

const PPM = 1_000_000

/** Returns the terms of a sale with a given commission: only its referrer earns, exactly that amount. */
export const fixedCommissionTerms = (
  { line, unit }: Pick<SaleTerms, 'line' | 'unit'>,
  given: { commission: number; amount: number },
): SaleTerms => ({
  ratesPpm: [toProportion(PPM, given.commission, given.amount)],
  source: null,
  line: line.slice(0, 1),
  ...(unit && { unit }),
  given,
})

/** Deepest layer (from 0): there are at most ten rates. */
const DEEPEST = 9

/** A partner above a referrer; for the referrer also their e-mails, which reveal a self-referral. */
type LinePartner = {
  referrerId: string
  partnerId: string
  layer: number
  /** An ancestor earns while active. The referrer earns from their existing leads, unless erased, or their balance was voided. */
  earns: boolean
  /** The referrer's addresses: the partner's, and those of its people. */
  emails: string[] | null
}

const linesAbove = (tx: Transaction, accountIds: string[], partnerIds: string[]) => tx.many<LinePartner>`
  with recursive line as (
    select account_id, id as referrer_id, id, parent_partner_id, void_reason is null and erased_at is null as earns, 0 as layer,
      email
    from ${rowsByKeySql(sql`partners`, accountIds, partnerIds)}
    union all
    select p.account_id, line.referrer_id, p.id, p.parent_partner_id, p.state = 'active', line.layer + 1, null
    from line join partners p on p.account_id = ${eachAccount(accountIds, sql`line.account_id`)} and p.id = line.parent_partner_id
    where line.layer < ${DEEPEST}
  )
  select line.referrer_id, line.id as partner_id, line.layer, line.earns,
    case when line.layer = 0 then array_remove(line.email || array(
      select u.email from user_roles r join users u on u.id = r.user_id where r.partner_id = line.id), null) end as emails
  from line order by line.referrer_id, line.layer`

const unique = (ids: string[]) => [...new Set(ids)]

/** `version`: the terms themselves, unless they are percentages alone, which the credit has. */
export type Referral = {
  terms: SaleTerms
  version: Terms | null
  referrerEmails: string[]
  placesCount: boolean
  /** Its referrer is a customer, who is never rewarded for their own purchases. */
  isByCustomer: boolean
  /** The sign that the lead is that customer themselves, in words for the owner; null without one. */
  ownLead: string | null
}

/**
 * Returns how these sales are split if booked now: by the terms in force, among the partners above their referrer.
 * `log` replaces the table of terms. Reads only, in two statements, and a third for rules that ask about leads; keyed by
 * sale.
 */
export async function readSaleTerms(tx: Transaction, sales: Referred[], log?: Sql): Promise<Map<string, Referral>> {
  if (sales.length === 0) return new Map()
  const [above, inForce] = await Promise.all([
    linesAbove(tx, unique(sales.map((sale) => sale.accountId)), unique(sales.map((sale) => sale.partnerId))),
    termsInForce(tx, sales, log),
  ])
  for (const { id, accountId, partnerId } of sales)
    if (!inForce.has(id))
      throw new Error(`The log of terms of account ${accountId} has none for a sale of partner ${partnerId}.`)
  const lines = Map.groupBy(above, (row) => row.referrerId)
  const ownLeads = await findOwnLeads(
    tx,
    sales.filter(({ id }) => inForce.get(id)!.reward),
  )
  const leads = await leadsAskedFor(tx, sales, (id) => inForce.get(id)!.terms)
  return new Map(
    sales.map(({ id, partnerId, leadId = null }): [string, Referral] => {
      const line = lines.get(partnerId) ?? []
      const { terms, source, number, seen, placesCount, reward } = inForce.get(id)!
      const earners = line.map(({ partnerId, earns }) => ({ partnerId, earns })).slice(0, layerCount(terms))
      const unit = reward?.as === 'units' ? { unit: reward.unitValue } : {}
      const common = { source, number, seen, line: earners, ...unit }
      const referral = {
        referrerEmails: line[0]?.emails ?? [],
        placesCount,
        isByCustomer: reward !== null,
        ownLead: ownLeads.get(id) ?? null,
      }
      if (arePercentages(terms))
        return [
          id,
          { ...referral, terms: { ratesPpm: toPpm(terms.otherwise as Percentages), ...common }, version: null },
        ]
      const lead = leadId ? leadFacts(terms, leads.get(leadId)) : undefined
      const credit = { ...common, ...(lead && { lead }), ...(dependsOnPlace(terms) && { asksForPlace: true as const }) }
      return [id, { ...referral, terms: credit, version: terms }]
    }),
  )
}

/** Returns what shows that the lead of a sale is its partner: the external id, or the customer at the payment provider. */
async function findOwnLeads(tx: Transaction, sales: Referred[]): Promise<Map<string, string>> {
  const ofLeads = sales.filter(({ leadId }) => leadId)
  if (ofLeads.length === 0) return new Map()
  const accountIds = ofLeads.map(({ accountId }) => accountId)
  const account = eachAccount(accountIds, sql`n.account_id`)
  const rows = await tx.many<{ id: string; hasExternalId: boolean; hasCustomer: boolean }>`
    select n.id, p.external_id is not distinct from l.external_id and l.external_id is not null as has_external_id, exists (
        select from partner_customers k join provider_connections c on c.account_id = ${account} and c.id = k.connection_id
        where k.account_id = ${account} and k.partner_id = n.partner_id and (
          (c.shop_id = n.shop_id and k.customer_id = n.customer_id) or exists (
            select from shop_customers s
            where s.account_id = ${account} and s.shop_id = c.shop_id and s.customer_id = k.customer_id
              and s.lead_id = n.lead_id))) as has_customer
    from unnest(${ofLeads.map(({ id }) => id)}::uuid[], ${accountIds}::uuid[], ${ofLeads.map(({ leadId }) => leadId!)}::uuid[],
        ${ofLeads.map(({ partnerId }) => partnerId)}::uuid[], ${ofLeads.map(({ shopId = null }) => shopId)}::uuid[],
        ${ofLeads.map(({ customerId = null }) => customerId)}::text[])
        as n (id, account_id, lead_id, partner_id, shop_id, customer_id)
      join leads l on l.account_id = ${account} and l.id = n.lead_id
      join partners p on p.account_id = ${account} and p.id = n.partner_id`
  return new Map(
    rows.flatMap(({ id, hasExternalId, hasCustomer }): [string, string][] => {
      if (hasExternalId) return [[id, 'The lead has the referring partner’s external ID.']]
      return hasCustomer ? [[id, 'The customer at the payment provider is the referring partner’s own.']] : []
    }),
  )
}

type Percentages = { layerRates: number[] }
type AskedLead = { id: string; country: string | null; metadata: Record<string, string> }

/** Reads the leads whose facts the rules need. */
async function leadsAskedFor(tx: Transaction, sales: Referred[], termsOf: (id: string) => Terms) {
  const needingLeads = sales.filter(({ id, leadId }) => {
    const { keys, country } = askedOfLead(termsOf(id))
    return leadId && (country || keys.length > 0)
  })
  if (needingLeads.length === 0) return new Map<string, AskedLead>()
  const accountIds = unique(needingLeads.map(({ accountId }) => accountId))
  const leads = await tx.many<AskedLead>`
    select id, country, metadata from ${rowsByKeySql(sql`leads`, accountIds, unique(needingLeads.map(({ leadId }) => leadId!)))}`
  return new Map(leads.map((lead) => [lead.id, lead]))
}

/** Returns the facts of a lead that the rules need. */
function leadFacts(terms: Terms, lead: AskedLead | undefined): SaleTerms['lead'] {
  const { keys, country } = askedOfLead(terms)
  if (!lead || (keys.length === 0 && !country)) return undefined
  const known = keys.filter((key) => Object.hasOwn(lead.metadata, key))
  return {
    country: country ? lead.country : null,
    metadata: Object.fromEntries(known.map((key) => [key, lead.metadata[key]!])),
  }
}
