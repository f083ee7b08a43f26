import { moneyInWords } from '#contract/money.ts'
import type { EarlierSales, LeadReassignment, MatchRule, SaleAttribution } from '#contract/sales.ts'
import { isAsShown } from '../../platform/as-shown.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import { type Queryable, type Transaction, withRollback } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { countInWords } from '../../platform/format-values.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { captureLead } from '../leads/capture-lead.ts'
import { type LeadFacts, lockLeads } from '../leads/lead-facts.ts'
import { decideStated, statedAs } from '../leads/match-rules.ts'
import { creditablePartner, moveLead } from '../leads/move-lead.ts'
import { hasSales, paidOn } from '../leads/payment-time.ts'
import { bookLate } from './book-late.ts'
import { emitSaleEvents } from './emit-sale-events.ts'
import { type Asked, customersOwn, withLatestClicks } from './latest-click.ts'
import { saveEvidence } from './match-evidence.ts'
import { followLead } from './refund-sale.ts'
import { lockSale, lockSales, type SaleState } from './sale-state.ts'

/**
 * A sale to be assigned; `lookedUp`: what its payment names, if it was looked up again or someone names another partner
 * than its customer's, and when it was made.
 */
type Given = { id: string; matchedBy: MatchRule | null; lookedUp?: LookedUp | undefined }
type LookedUp = Pick<Asked, 'creditTo' | 'knownBy' | 'evidence' | 'at'>

/**
 * Assigns sales to a lead and its partner; a sale with a partner keeps it. A fixed number of statements, however many
 * sales.
 */
export async function assignSalesToLead(
  tx: Transaction,
  by: Author,
  accountId: string,
  lead: LeadFacts,
  given: Given[],
) {
  const ids = given.map((sale) => sale.id)
  const states = (await lockSales(tx, accountId, ids, [lead.id])).filter(({ sale }) => !sale.partnerId && !sale.isTest)
  if (states.length === 0) return
  const formerLeads = [...new Set(states.map(({ sale }) => sale.leadId))].filter(
    (id): id is string => id !== null && id !== lead.id,
  )
  await numberNext(
    tx,
    accountId,
    lead.id,
    states.filter(({ sale }) => sale.leadId !== lead.id).map(({ sale }) => sale.id),
  )
  const { id: leadId } = lead
  const late = await creditedTo(tx, accountId, lead, states, given)
  await bookLate(tx, by, accountId, late)
  await followLead(tx, by, accountId, leadId)
  await numberFromOne(tx, accountId, formerLeads)
  for (const former of formerLeads) await followLead(tx, by, accountId, former)
  await emitSaleEvents(
    tx,
    late.map(({ before: { sale }, now: { partnerId } }) => ({
      by,
      accountId,
      type: 'sale.updated',
      id: sale.id,
      changes: diffFields({ leadId: sale.leadId, partnerId: sale.partnerId }, { leadId, partnerId }),
    })),
  )
}

/**
 * Returns the sales as they are booked for this lead: for its partner, or for whom a payment names that was looked up
 * again, with the evidence of that.
 */
async function creditedTo(
  tx: Transaction,
  accountId: string,
  lead: LeadFacts,
  states: SaleState[],
  given: Given[],
): Promise<{ before: SaleState; now: Partial<SaleState['sale']>; lead: LeadFacts }[]> {
  const givenOf = new Map(given.map((one) => [one.id, one]))
  const sales = states.map((before) => {
    const { id, subscriptionId, saleDate } = before.sale
    const { matchedBy, lookedUp } = givenOf.get(id)!
    return { before, id, accountId, lead, matchedBy, subscriptionId, saleDate, lookedUp }
  })
  const clicked = sales.flatMap(({ lookedUp, ...sale }) => (lookedUp ? [{ ...sale, ...lookedUp }] : []))
  const accounts = await holdAccounts(tx, clicked.length > 0 ? [accountId] : [])
  const found = await withLatestClicks(tx, accounts, clicked)
  for (const { id, evidence } of found) if (evidence) await saveEvidence(tx, accountId, id, evidence)
  const others = sales.flatMap((sale) => (sale.lookedUp ? [] : [{ ...sale, ...customersOwn }]))
  return [...found, ...others].map(({ before, matchedBy, latestClick, clickId, visit, lead: seen }) => {
    const { id: leadId, partnerId, blueprintId, linkId } = seen
    const now = { leadId, partnerId, blueprintId, linkId, matchedBy, latestClick, clickId, visit }
    return { before, now, lead: seen }
  })
}

/** Whether a sale is an earlier one of this lead that credits no partner: its own, or one without a lead paid with its e-mail. */
const isEarlier = (accountId: string, lead: { id: Sql; email: Sql }) => sql`
  account_id = ${accountId} and partner_id is null and status <> 'void' and not is_test
  and (lead_id = ${lead.id} or (lead_id is null and payer_email = ${lead.email}))`

/**
 * Credits a lead's earlier sales that credit no partner, at the current rates: its own, and those without a lead paid
 * with its e-mail. Returns their ids. Only at a person's request.
 */
async function creditEarlier(tx: Transaction, by: Author, accountId: string, lead: LeadFacts): Promise<string[]> {
  if (!lead.partnerId) return []
  const sales = await tx.many<Given & { leadId: string | null }>`
    select id, matched_by, lead_id from sales
    where ${isEarlier(accountId, { id: sql`${lead.id}`, email: sql`${lead.email}` })} order by id`
  await assignSalesToLead(
    tx,
    by,
    accountId,
    lead,
    sales.map(({ id, leadId, matchedBy }) => ({ id, matchedBy: leadId ? matchedBy : 'manual' })),
  )
  return sales.map(({ id }) => id)
}

/** Adds up the earlier sales of leads that credit no partner; leads without any are left out. */
export async function sumEarlierSales(db: Queryable, accountId: string, ids: string[]) {
  const leads = await db.many<{ id: string; sales: EarlierSales['sales'] }>`
    select t.id, jsonb_build_object('count', s.count, 'amount', s.amount) as sales
    from leads t cross join lateral (
      select count(*), coalesce(sum(account_amount), 0) as amount from sales
      where ${isEarlier(accountId, { id: sql`t.id`, email: sql`t.email` })}) s
    where t.account_id = ${accountId} and t.id = any(${ids.map(asUuid)}::uuid[]) and s.count > 0 order by t.id`
  const sumOf = (part: 'count' | 'amount') => leads.reduce((sum, { sales }) => sum + sales[part], 0)
  return { leads, sales: { count: sumOf('count'), amount: sumOf('amount') } }
}

/** Returns what crediting these earlier sales of a lead has booked, by entries above this id. */
const bookedFor = (tx: Transaction, accountId: string, lead: LeadFacts, ids: string[], above: string) =>
  tx.one<EarlierSales>`
    select jsonb_build_object('count', count(*), 'amount', coalesce(sum(account_amount), 0)) as sales,
      (select coalesce(sum(amount), 0) from commission_entries
        where account_id = ${accountId} and sale_id = any(${ids}::uuid[]))::bigint as commission,
      (select coalesce(sum(amount), 0) from commission_entries
        where account_id = ${accountId} and lead_id = ${lead.id} and id > ${above})::bigint as lead_pay
    from sales where account_id = ${accountId} and id = any(${ids}::uuid[])`

type Giver<Body> = (tx: Transaction, by: Author, account: AccountFacts, id: string, body: Body) => Promise<LeadFacts>
type Deciding = Pick<SaleAttribution, 'creditEarlierSales' | 'shown'>
type Credits = [tx: Transaction, by: Author, account: AccountFacts, id: string]

/** Assigns a partner and credits them with earlier sales without a partner; returns what that booked. */
const crediting =
  <Body>(give: Giver<Body>) =>
  async (...[tx, by, account, id, body]: [...Credits, body: Body]): Promise<EarlierSales> => {
    const above = newId()
    const lead = await give(tx, by, account, id, body)
    return bookedFor(tx, account.id, lead, await creditEarlier(tx, by, account.id, lead), above)
  }

/**
 * Assigns a partner, and if requested credits them with earlier sales without a partner. Refuses: `conflict` if that
 * books anything else than was shown.
 */
const giving =
  <Body extends Deciding>(give: Giver<Body>) =>
  async (...[tx, by, account, id, body]: [...Credits, body: Body]): Promise<void> => {
    if (!body.creditEarlierSales) return void (await give(tx, by, account, id, body))
    const { sales, commission, leadPay } = await crediting(give)(tx, by, account, id, body)
    if (isAsShown(body.shown ?? {}, { sales, commission, leadPay })) return
    const inMoney = (amount: number) => moneyInWords(amount, account.defaultCurrency)
    throw refusal('earlier_sales_changed', {
      sales: countInWords(sales.count, 'sale'),
      amount: inMoney(sales.amount),
      commission: inMoney(commission + leadPay),
    })
  }

/** Returns what crediting the earlier sales would book; writes nothing. */
const previewing =
  <Body>(give: Giver<Body>) =>
  (...call: [...Credits, body: Body]): Promise<EarlierSales> =>
    withRollback(call[0], () => crediting(give)(...call))

/**
 * Credits a sale without a partner by hand: to a lead, or to a partner by the lead with the payer's e-mail, found or
 * created; also to another partner than the customer's, who keeps them, if orders of returning customers go to their
 * latest click. Refuses: `invalid_state` for a void sale, one of test mode or one that has a partner, or for a rejected
 * or an erased lead; unknown lead or partner in the body.
 */
export const attributeSale = giving(assignSale)
export const previewAttribution = previewing(assignSale)

/** Moves a lead to another partner, for future sales. */
export const reassignLead = giving(assignLead)
export const previewReassignment = previewing(assignLead)

async function assignSale(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  saleId: string,
  { partnerId, leadId, reason = '' }: SaleAttribution,
): Promise<LeadFacts> {
  const { sale } = await lockSale(tx, account.id, saleId, leadId ? [asUuid(leadId)] : [])
  if (sale.partnerId) throw refusal('sale_has_partner')
  if (sale.status === 'void') throw refusal('sale_is_void')
  if (sale.isTest) throw refusal('sale_is_test')
  const lead = leadId
    ? await leadNamed(tx, account, leadId)
    : await leadOfPayer(tx, by, account, sale, { partnerId: partnerId!, reason })
  if (!lead.partnerId) throw wrongField('leadId', 'lead_without_partner')
  const isOthers = !leadId && lead.partnerId !== partnerId
  const at = paidOn(sale.saleDate, account.timeZone, tx.now).at.toISOString()
  const lookedUp = isOthers ? { creditTo: statedAs(partnerId!), at } : undefined
  await assignSalesToLead(tx, by, account.id, lead, [{ id: saleId, matchedBy: 'manual', lookedUp }])
  // the customer's other sales are not this partner's
  return isOthers ? { ...lead, partnerId: null } : lead
}

async function leadNamed(tx: Transaction, account: AccountFacts, leadId: string) {
  const [lead] = await lockLeads(tx, [account.id], [asUuid(leadId)])
  if (!lead || lead.accountId !== account.id) throw wrongField('leadId', 'unknown_lead_in_account')
  refuseClosed(lead)
  return lead
}

/** Returns the lead that a partner is credited for; another partner's only if it is a customer and each order goes to its click. */
async function leadOfPayer(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  sale: SaleState['sale'],
  { partnerId, reason }: { partnerId: string; reason: string },
): Promise<LeadFacts> {
  const partner = await tx.maybe`select from partners where id = ${asUuid(partnerId)} and account_id = ${account.id}`
  if (!partner) throw wrongField('partnerId', 'unknown_partner_in_account')
  const leadId = sale.leadId ?? (await leadByPayer(tx, account, sale, partnerId))
  const [lead] = await lockLeads(tx, [account.id], [leadId])
  refuseClosed(lead!)
  const isOthers = lead!.partnerId !== null && lead!.partnerId !== partnerId
  const hasBought =
    isOthers &&
    (await tx.value<boolean>`
      select ${hasSales(sql`${account.id}`)} from leads t where t.account_id = ${account.id} and t.id = ${leadId}`)
  const effect = decideStated(account, { partnerId: lead!.partnerId, hasSales: hasBought }, partnerId)
  if (effect === 'of-another') throw refusal('payer_has_other_partner', { details: { leadId } })
  if (effect === 'sale-alone') await creditablePartner(tx, account.id, partnerId)
  if (effect !== 'moves') return lead!
  await moveLead(tx, by, account, leadId, { partnerId, reason })
  return (await lockLeads(tx, [account.id], [leadId]))[0]!
}

async function leadByPayer(tx: Transaction, account: AccountFacts, sale: SaleState['sale'], partnerId: string) {
  const known =
    sale.payerEmail &&
    (await tx.maybe<{ id: string }>`
      select id from leads t where account_id = ${account.id} and email = ${sale.payerEmail} and status <> 'duplicate'
        -- an expired lead without sales blocks no other partner
        and (status <> 'expired' or partner_id is null or partner_id = ${partnerId} or ${hasSales(sql`${account.id}`)})
      order by status = 'rejected', status = 'expired', created_at, id limit 1`)
  if (known) return known.id
  const made = await captureLead(tx, account, {
    source: 'provider',
    partnerId,
    email: sale.payerEmail,
    hasPaid: true,
  })
  return made.leadId
}

function refuseClosed({ id, status, erasedAt }: LeadFacts) {
  if (erasedAt) throw refusal('erased')
  if (status === 'rejected') throw refusal('lead_is_rejected', { details: { leadId: id } })
}

async function assignLead(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  leadId: string,
  { partnerId, reason = '' }: LeadReassignment,
): Promise<LeadFacts> {
  const wanted = partnerId && asUuid(partnerId)
  if (wanted && !(await tx.maybe`select from partners where id = ${wanted} and account_id = ${account.id}`))
    throw wrongField('partnerId', 'unknown_partner_in_account')
  await moveLead(tx, by, account, leadId, { partnerId: wanted, reason })
  return (await lockLeads(tx, [account.id], [leadId]))[0]!
}

/** Numbers sales that are added to a lead late after its others. */
async function numberNext(tx: Transaction, accountId: string, leadId: string, ids: string[]) {
  if (ids.length === 0) return
  await tx.run`
    update sales s set sequence = n.place + coalesce((
      select max(sequence) from sales o where o.account_id = ${accountId} and o.lead_id = ${leadId}), 0)
    from unnest(${ids}::uuid[]) with ordinality as n (id, place) where s.account_id = ${accountId} and s.id = n.id`
}

/** Closes the gaps in the numbers of leads that lost a sale, or got one back. The caller has locked them. */
async function numberFromOne(tx: Transaction, accountId: string, leadIds: string[]) {
  if (leadIds.length === 0) return
  await tx.run`
    update sales s set sequence = n.place
    from (
      select id, row_number() over (partition by lead_id order by sequence, id) as place
      from sales where account_id = ${accountId} and lead_id = any(${leadIds}::uuid[])) n
    where s.account_id = ${accountId} and n.id = s.id and s.sequence <> n.place`
}
