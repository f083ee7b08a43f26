import type { MatchRule } from '#contract/sales.ts'
import { eachAccount } from '../../platform/database/by-key.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type LeadFacts, ownVisit } from '../leads/lead-facts.ts'
import { type CreditTo, NAMING, type TriedRule } from '../leads/match-rules.ts'

// An order of a returning customer may be another partner's than the customer's: the one whom it names, while the account
// has `latest-click`. Renewals of a subscription follow its first sale, whatever the account has by then.

/** A visit that brought a sale, as reports count it. */
export type SaleVisit = { subId?: string; source?: string; path?: string; country?: string; device?: string }

/**
 * The columns of a sale that credits another partner than its customer's: `order` if it names them itself, `renewal` if
 * its subscription's first sale did; all null for every other sale.
 */
export type LatestClick = {
  latestClick: 'order' | 'renewal' | null
  clickId: string | null
  visit: SaleVisit | null
}
export const customersOwn: LatestClick = { latestClick: null, clickId: null, visit: null }

/** A sale to be booked, with its lead under lock. */
export type Asked = {
  id: string
  accountId: string
  lead: LeadFacts | null
  matchedBy: MatchRule | null
  evidence?: TriedRule[]
  creditTo?: CreditTo | undefined
  knownBy?: MatchRule | undefined
  subscriptionId?: string | null
  saleDate: string
  /** When it was paid, ISO 8601. */
  at: string
}

/** The first sale of a subscription as far as its renewals need it, and the partners that it named. */
type First = LatestClick & {
  accountId: string
  leadId: string
  subscriptionId: string
  saleDate: string
  partnerId: string | null
  blueprintId: string | null
  linkId: string | null
  referredAt: string | null
  names: string[]
}

const keyOf = ({ accountId, leadId, subscriptionId }: Pick<First, 'accountId' | 'leadId' | 'subscriptionId'>) =>
  `${accountId} ${leadId} ${subscriptionId}`

/**
 * Returns the sales with whom they credit: as `lead`, their customer with the credited partner in place of its own. The
 * caller has locked accounts, leads and subscriptions. A payment that names a partner whom its subscription's first sale
 * named already is a renewal like any other, unless by a new click.
 */
export async function withLatestClicks<S extends Asked>(
  tx: Transaction,
  accounts: Map<string, AccountFacts>,
  sales: S[],
): Promise<(S & LatestClick)[]> {
  if (sales.length === 0) return []
  const others = sales.flatMap(({ id, accountId, lead, creditTo }) =>
    lead && creditTo && creditTo.partnerId !== lead.partnerId ? [{ id, accountId, leadId: lead.id, ...creditTo }] : [],
  )
  const [firsts, visits] = await Promise.all([firstSales(tx, sales), visitsOf(tx, others)])
  const visitsOfFirsts = await visitsOf(
    tx,
    [...firsts.values()].flatMap((first) =>
      first.latestClick ? [{ ...first, id: keyOf(first), partnerId: first.partnerId! }] : [],
    ),
  )
  const ownVisits = new Map([...visitsOfFirsts].map(([key, visited]) => [key, visited.ownVisit]))
  return sales.map((sale): S & LatestClick => {
    const { accountId, lead, creditTo, subscriptionId = null, saleDate } = sale
    if (!lead || sale.matchedBy === null) return { ...sale, ...customersOwn }
    const asksNames = accounts.get(accountId)!.returningCustomers === 'latest-click'
    const named = creditTo?.partnerId ?? (NAMING.includes(sale.matchedBy) ? lead.partnerId : null)
    const names = asksNames || creditTo?.isStated ? named : null
    const key = subscriptionId && keyOf({ accountId, leadId: lead.id, subscriptionId })
    const known = key ? firsts.get(key) : undefined
    const first = known && known.saleDate <= saleDate ? known : undefined
    const isOther = creditTo !== undefined && creditTo.partnerId !== lead.partnerId
    const visit = visits.get(sale.id)
    const isNew = first !== undefined && visit?.day != null && visit.day > first.saleDate
    const isNamed = creditTo?.isStated ? first?.latestClick && first.partnerId === names : first?.names.includes(names!)
    const repeats = names !== null && Boolean(isNamed) && !isNew
    const credited = decide()
    // the next ones of the list may be its renewals
    if (key && !first) {
      firsts.set(key, firstOf(credited, subscriptionId))
      ownVisits.set(key, credited.lead!.ownVisit)
    }
    return credited

    function decide(): S & LatestClick {
      if (visit && !repeats) {
        const { partnerId, blueprintId, linkId = null, clickId } = creditTo!
        const { ownVisit } = visit
        const seen = { ...lead!, partnerId, blueprintId, linkId, attributedAt: sale.at, ownVisit }
        return { ...sale, lead: seen, latestClick: 'order', clickId, visit: visit.visit }
      }
      const namesNobody = names === null || (isOther && !visit)
      const isRenewal = first?.latestClick && first.partnerId !== lead!.partnerId && (repeats || namesNobody)
      if (!isRenewal) return { ...sale, ...(isOther && unnamed(lead!.partnerId)), ...customersOwn }
      const { partnerId, blueprintId, linkId, referredAt, clickId } = first
      const seen = { ...lead!, partnerId, blueprintId, linkId, attributedAt: referredAt ?? sale.at }
      const ownVisit = ownVisits.get(key!) ?? false
      const from = { latestClick: 'renewal' as const, clickId, visit: first.visit }
      return { ...sale, ...(names && unnamed(partnerId)), lead: { ...seen, ownVisit }, ...from }
    }

    /** The rule that knows the customer found the sale; the one that names a partner is told as evidence. */
    function unnamed(credited: string | null): Pick<Asked, 'matchedBy' | 'evidence'> {
      const { knownBy, matchedBy, evidence = [] } = sale
      if (!knownBy || !matchedBy) return {} as Pick<Asked, 'matchedBy'>
      const others = evidence.filter(({ rule }) => rule !== knownBy)
      const tried = { rule: matchedBy, outcome: repeats ? ('renewal' as const) : ('inactive' as const) }
      const { code } = creditTo ?? {}
      const ownEvidence = names && names !== credited ? [{ ...tried, partnerId: names, ...(code && { code }) }] : []
      return { matchedBy: knownBy, evidence: [...others, ...ownEvidence] }
    }
  })
}

const firstOf = ({ accountId, lead, saleDate, ...sale }: Asked & LatestClick, subscriptionId: string): First => ({
  ...{ accountId, subscriptionId, saleDate, leadId: lead!.id },
  ...{ partnerId: lead!.partnerId, blueprintId: lead!.blueprintId, linkId: lead!.linkId },
  ...{ referredAt: lead!.attributedAt, latestClick: sale.latestClick, clickId: sale.clickId, visit: sale.visit },
  names: namedBy(lead!.partnerId, sale.evidence),
})

/** Returns the partners whom a sale named: its own, whom its evidence leaves out, and those who were passed over. */
const namedBy = (partnerId: string | null, evidence: TriedRule[] = []) =>
  [partnerId, ...evidence.map(({ rule, partnerId: other }) => (NAMING.includes(rule) ? other : null))].filter(
    (id): id is string => id != null,
  )

/** Finds the first sale of each of these subscriptions of a customer, by its day. */
async function firstSales(tx: Transaction, sales: Asked[]): Promise<Map<string, First>> {
  const ofSubscriptions = sales.flatMap(({ id, accountId, lead, subscriptionId }) =>
    lead && subscriptionId ? [{ id, accountId, leadId: lead.id, subscriptionId }] : [],
  )
  if (ofSubscriptions.length === 0) return new Map()
  const accountIds = ofSubscriptions.map(({ accountId }) => accountId)
  type Row = Omit<First, 'names'> & { evidence: TriedRule[] | null }
  const rows = await tx.many<Row>`
    select distinct on (s.account_id, s.lead_id, s.subscription_id) s.account_id, s.lead_id, s.subscription_id, s.sale_date,
      s.partner_id, s.blueprint_id, s.link_id, s.referred_at, s.latest_click, s.click_id, s.visit,
      s.match_evidence as evidence
    from unnest(${ofSubscriptions.map(({ id }) => id)}::uuid[], ${accountIds}::uuid[], ${ofSubscriptions.map(({ leadId }) => leadId)}::uuid[],
        ${ofSubscriptions.map(({ subscriptionId }) => subscriptionId)}::text[]) as i (id, account_id, lead_id, subscription_id)
      cross join lateral (
        select * from sales where account_id = ${eachAccount(accountIds, sql`i.account_id`)}
          and subscription_id = i.subscription_id offset 0) s
    where s.lead_id = i.lead_id and s.id <> i.id and s.status <> 'void'
    order by s.account_id, s.lead_id, s.subscription_id, s.sale_date, s.external_id collate "C", s.id`
  return new Map(
    rows.map(({ evidence, ...row }) => [keyOf(row), { ...row, names: namedBy(row.partnerId, evidence ?? []) }]),
  )
}

/** `day`: that of the click, if there is one. */
type Visit = { day: string | null; visit: SaleVisit | null; ownVisit: boolean }
type Visited = { id: string; accountId: string; leadId: string; partnerId: string; clickId: string | null }

/**
 * Returns the visits of these clicks, by id, with whether they are the partner's own, as for a lead. Left out: partners who
 * earn nothing any more, erased or with a voided balance.
 */
async function visitsOf(tx: Transaction, named: Visited[]) {
  if (named.length === 0) return new Map<string, Visit>()
  const of = <K extends keyof Visited>(key: K) => named.map((one) => one[key])
  const account = eachAccount(of('accountId'), sql`n.account_id`)
  const rows = await tx.many<Visit & { id: string }>`
    select n.id, k.day, case when k.id is not null then ${visitOf(sql`k`)} end as visit,
      k.id is not null and ${ownVisit(account, { click: sql`k.id`, partner: sql`n.partner_id`, lead: sql`n.lead_id` })} as own_visit
    from unnest(${of('id')}::text[], ${of('accountId')}::uuid[], ${of('leadId')}::uuid[], ${of('partnerId')}::uuid[],
        ${of('clickId')}::uuid[]) as n (id, account_id, lead_id, partner_id, click_id)
      join partners p on p.account_id = ${account} and p.id = n.partner_id and p.void_reason is null and p.erased_at is null
      left join clicks k on k.account_id = ${account} and k.id = n.click_id`
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

const visitOf = (k: Sql) => sql`jsonb_strip_nulls(jsonb_build_object('subId', ${k}.sub_id, 'source', ${k}.referrer_host,
  'path', ${k}.landing_path, 'country', ${k}.country, 'device', ${k}.user_agent_class))`
