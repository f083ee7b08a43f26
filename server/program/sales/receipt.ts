import type { CommissionEntry } from '#contract/commissions.ts'
import type { Receipt, Sale } from '#contract/sales.ts'
import type { TermsSource } from '#contract/terms.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Access, wordFor } from '../access/access.ts'
import { entriesOfLead, entriesOfSales, entryById, listSettlements } from '../commissions/present-entries.ts'
import { listOpenEvents } from '../leads/open-events.ts'
import { presentLead } from '../leads/present-lead.ts'
import { plannedColumns } from '../terms/planned-sales.ts'
import { findHolders, wonBy } from './entries-with-sales.ts'
import { type ExplainedLead, type ExplainedSale, explainLeadPay, explainTerms } from './explain-terms.ts'
import { onHoldBecause } from './hold-reason.ts'
import { describeMatch } from './match-evidence.ts'
import { presentSale } from './present-sales.ts'
import { salePhrases } from './text.ts'

/**
 * Returns everything that explains one entry, each part as its reader may see it: a partner sees only their own lead,
 * and only neutral facts of a hold and of the rules that did not match.
 */
export async function getReceipt(db: Queryable, reader: Access, entryId: string): Promise<Receipt> {
  const entry = await entryById(db, reader, entryId)
  const facts = await factsOf(db, reader.account.id, entryId)
  const sale = entry.saleId ? await presentSale(db, reader, entry.saleId) : null
  const { leadId } = facts
  const sees = leadId && (reader.as !== 'partner' || facts.leadPartnerId === reader.partnerId)
  return {
    accountId: reader.account.id,
    entry,
    sale: sale && (sees ? sale : { ...sale, leadId: null, leadName: null }),
    lead: sees ? await presentLead(db, reader, leadId) : null,
    click: sees && facts.clickId ? await clickOf(db, reader, facts.clickId) : null,
    match: sale && (await describeMatch(db, reader, sale.id)),
    terms: await termsOf(db, reader, entry, facts),
    goal: await goalOf(db, reader, entry),
    rate: entry.rate === null ? null : { percent: entry.rate, source: facts.rateSource, layer: entry.layer! },
    hold: await waitOf(db, reader, entry, sale, facts),
    payout: entry.payoutId ? await payoutOf(db, reader.account.id, entry.payoutId) : null,
    earlierPayouts: await earlierPayoutsOf(db, reader.account.id, entry),
    openEvents: sale && reader.as !== 'partner' ? await listOpenEvents(db, reader.account.id, sale.id) : [],
    corrections: entry.kind === 'earned' ? await correctionsOf(db, reader, entry, facts) : [],
  }
}

/** Explains the terms of the sale, by its facts as they are now, or of the pay for a lead. */
async function termsOf(
  db: Queryable,
  reader: Access,
  { id, saleId, paidFor, layer, currency }: CommissionEntry,
  { leadId }: Facts,
): Promise<Receipt['terms']> {
  // the rule and the lines would name what a friend bought
  if (layer === null || reader.account.partnerVisibility.asFriends) return null
  const isPartner = reader.as === 'partner'
  const { language = 'en' } = reader
  if (paidFor) {
    const { place, ...lead } = await db.one<ExplainedLead & { place: number }>`
      select l.account_id, l.credit -> ${paidFor}::text as credit, (
        select count(*) from commission_entries o join commission_entries e on e.account_id = o.account_id and e.id = ${id}
        where o.account_id = ${reader.account.id} and o.lead_id = l.id and o.paid_for = ${paidFor}
          and (o.created_at, o.id) <= (e.created_at, e.id)) as place
      from leads l where l.account_id = ${reader.account.id} and l.id = ${leadId}`
    // another credit has replaced its own, which was undone
    if (place <= (lead.credit.former ?? 0)) return null
    return explainLeadPay(db, lead, { event: paidFor, layer, isPartner, language })
  }
  const sale = await db.maybe<ExplainedSale>`
    select ${plannedColumns(sql`${reader.account.id}::uuid`)} from sales t where t.account_id = ${reader.account.id} and t.id = ${saleId} and t.credit is not null`
  const seesAmounts = !isPartner || reader.account.partnerVisibility.saleAmounts
  return sale ? explainTerms(db, sale, { currency, layer, seesAmounts, isPartner, language }) : null
}

/** Returns the goal that a bonus was paid for, without a revenue that its reader may not see. */
async function goalOf(db: Queryable, reader: Access, { id, goalId }: CommissionEntry): Promise<Receipt['goal']> {
  if (!goalId) return null
  const goal = await db.one<NonNullable<Receipt['goal']>>`
    select w.name, w.metric, case w.period when 'all-time' then 'all-time' else 'month' end as window,
      nullif(w.period, 'all-time') as period, w.at_least, w.figure
    from commission_entries t join goal_awards w on w.account_id = t.account_id and w.id = t.award_id
    where t.account_id = ${reader.account.id} and t.id = ${id}`
  const isHidden = goal.metric === 'revenue' && reader.as === 'partner' && !reader.account.partnerVisibility.saleAmounts
  return isHidden ? { ...goal, figure: null } : goal
}

type Facts = {
  leadId: string | null
  leadPartnerId: string | null
  clickId: string | null
  payoutDelay: number
  /** Null for sales recorded before it was stored. */
  rateSource: TermsSource | null
}

const factsOf = (db: Queryable, accountId: string, entryId: string) => db.one<Facts>`
  select l.id as lead_id, l.partner_id as lead_partner_id, a.payout_delay,
    case when s.latest_click is null then l.click_id else s.click_id end as click_id,
    s.credit->>'source' as rate_source
  from commission_entries t
    join accounts a on a.id = t.account_id
    left join sales s on s.account_id = t.account_id and s.id = t.sale_id
    left join leads l on l.account_id = t.account_id and l.id = coalesce(s.lead_id, t.lead_id)
  where t.account_id = ${accountId} and t.id = ${entryId}`

async function clickOf(db: Queryable, reader: Access, clickId: string): Promise<Receipt['click']> {
  const click = await db.maybe<NonNullable<Receipt['click']>>`
    select c.id, c.at, c.blueprint_id, b.name as link_name, c.referrer_host as referrer, c.landing_path
    from clicks c left join link_blueprints b on b.id = c.blueprint_id
    where c.account_id = ${reader.account.id} and c.id = ${clickId}`
  // clicks are deleted after some time; the visitor's origin is hidden from partners
  return click ? { ...click, ...(reader.as === 'partner' && { referrer: null, landingPath: null }) } : null
}

async function waitOf(
  db: Queryable,
  reader: Access,
  entry: CommissionEntry,
  sale: Sale | null,
  facts: Facts,
): Promise<Receipt['hold']> {
  if (entry.status === 'held')
    return Date.parse(entry.availableAt) > db.now.getTime()
      ? { until: entry.availableAt, reason: wordFor(reader, () => waitingFor(entry, facts)) }
      : { until: null, reason: wordFor(reader, () => salePhrases.hold.goal) }
  if (entry.status !== 'on-hold') return null
  const holders = await findHolders(db, reader.account.id, entry.paidFor ? [entry] : [])
  const [wonSaleId] = wonBy(holders)
  const held = sale ?? (wonSaleId ? await presentSale(db, reader, wonSaleId) : null)
  return onHoldBecause(db.now, reader, held, holders.get(entry.id))
}

const waitingFor = ({ saleId }: CommissionEntry, { payoutDelay }: Facts) =>
  salePhrases.hold[saleId ? 'waitAfterSale' : 'wait']({ count: payoutDelay })

/** Returns the payout with the last four digits of its destination, unless the details have changed since. */
const payoutOf = (db: Queryable, accountId: string, payoutId: string) => db.one<NonNullable<Receipt['payout']>>`
  select p.id, p.statement_number as number, p.status, p.paid_at, '•••••' || s.account_last4 as destination
  from payouts p
    left join lateral (
      select details_version from payout_attempts where account_id = ${accountId} and payout_id = p.id order by number desc limit 1
    ) t on true
    left join payout_settings s on s.account_id = p.account_id and s.partner_id = p.partner_id and p.method <> 'manual'
      and s.version = coalesce(t.details_version, p.details_version)
  where p.account_id = ${accountId} and p.id = ${payoutId}`

/** Lists the entry's earlier payouts, returned or canceled; the entry moves to another one. */
const earlierPayoutsOf = (db: Queryable, accountId: string, { id, partnerId }: CommissionEntry) => db.many<
  Receipt['earlierPayouts'][number]
>`
  select p.id, p.statement_number as number, p.status
  from payouts p join payout_entries e on e.account_id = p.account_id and e.payout_id = p.id and e.entry_id = ${id}
  where p.account_id = ${accountId} and p.partner_id = ${partnerId} and p.status in ('returned', 'canceled') and not e.live
  order by p.statement_number`

async function correctionsOf(
  db: Queryable,
  reader: Access,
  earned: CommissionEntry,
  { leadId }: Facts,
): Promise<CommissionEntry[]> {
  const { saleId, paidFor } = earned
  const found = saleId ? await entriesOfSales(db, reader, [saleId]) : await entriesOfLead(db, reader, leadId!)
  const entries = found.filter((entry) => entry.paidFor === paidFor)
  const own = entries.filter(
    ({ id, partnerId, layer }) => id !== earned.id && partnerId === earned.partnerId && layer === earned.layer,
  )
  return saleId ? [...own, ...(await listSettlements(db, reader, saleId, earned.partnerId))] : own
}
