import type { OtherRates, RatesPreview } from '#contract/sales.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { LeadEvent, Reach } from '#contract/terms.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { compileSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { addDays, dayIn, firstOfMonth, startOfDay } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { Used } from '../terms/caps.ts'
import { logWith, type Referred, UNSAVED } from '../terms/in-force.ts'
import { leadPay, leadRule, refusesLead, retainsPay } from '../terms/lead-terms.ts'
import type { RefundOfLines } from '../terms/lines.ts'
import { getGroup } from '../terms/moves.ts'
import { layersAfter, type PlannedSale, underCaps } from '../terms/plan.ts'
import { countedRefunds, hasPlace, placeOrder } from '../terms/planned-sales.ts'
import { hadMonthlyCaps, type TermsSubject } from '../terms/save-terms.ts'
import { checkTerms } from '../terms/terms-state.ts'
import { type Referral, readSaleTerms } from './earnings.ts'

type MonthSale = PlannedSale & {
  accountId: string
  partnerId: string
  leadId: string | null
  way: number
  refundedAmount: number
  /** Refunds that count, of a sale with lines. */
  refunds: RefundOfLines[] | null
  leadCountry: string | null
  leadMetadata: Record<string, string>
}

/** Most sales examined: the latest of the month. */
const MOST = 200_000

/** Sales read at once. */
const AT_ONCE = 5_000

/**
 * Returns the commission of the last whole month's sales under other rates, and under the current terms: each sale is
 * split again in memory, both ways. Sales that neither way concerns only count for caps; those that earn nothing or have a
 * given commission are left out.
 */
export const previewRates = (
  db: Database | Transaction,
  account: AccountFacts,
  body: OtherRates,
): Promise<RatesPreview> =>
  transaction(db, async (tx) => {
    if (body.terms) checkTerms(body.terms)
    const subject = await subjectOf(tx, account.id, body)
    const to = addDays(firstOfMonth(dayIn(account.timeZone, tx.now)), -1)
    const from = firstOfMonth(to)
    const { appliesTo, terms = body.commissionSettings ? simpleTerms(body.commissionSettings) : null } = body
    // a cap per month or year counts sales of any link
    const ofAny =
      subject.kind === 'link' &&
      (terms?.maxPerMonth != null || terms?.maxPerYear != null || (await hadMonthlyCaps(tx, account.id)))
    const month = sql`s.account_id = ${account.id} and s.sale_date between ${from} and ${to} and s.partner_id is not null
      and s.account_amount > 0 and s.status <> 'void' and s.credited and not s.past_limit and s.given_commission is null
      and ${ofAny ? sql`true` : isOf(sql`s`, account.id, subject)}`
    const [since, until] = [from, addDays(to, 1)].map((day) => startOfDay(day, account.timeZone).toISOString())
    const log = logWith(account.id, { subject, terms, appliesTo, since: since! })
    const customers =
      appliesTo === 'all-sales' ? sql`true` : sql`s.referred_at >= ${since} and s.referred_at < ${until}`
    const { id: accountId } = account
    const haveRules =
      (terms?.rules.length ?? 0) > 0 ||
      (await tx.value<boolean>`
        select exists (select from terms_log where account_id = ${accountId} and terms -> 'rules' <> '[]')`)
    const sales = salesOf(log, { month, customers, accountId, haveRules })
    const partial = await tx.value<boolean>`select exists (select from sales s where ${month} offset ${MOST})`
    const ways = await tx.many<Referred>`
      select distinct on (way) id, account_id, partner_id, blueprint_id, coalesce(era, 'epoch') as referred_at
      from (${sales}) s order by way`
    const numbers = await numbersOf(tx, accountId, subject)
    const isConcerned = (both: Referral[]) => both.some(({ terms }) => numbers.has(terms.number!))
    const before = await readSaleTerms(tx, ways)
    const after = await readSaleTerms(tx, ways, log)
    const [usedNow, usedThen] = [new Used(), new Used()]
    const effect = { sales: 0, leads: 0, paid: 0, wouldHavePaid: 0 }
    for await (const sale of readInTurns(tx, sales)) {
      const { id } = ways[sale.way]!
      const [now, then] = [before.get(id)!, after.get(id)!]
      const [paid, wouldHavePaid] = [computeKept(sale, now, usedNow), computeKept(sale, then, usedThen)]
      if (!isConcerned([now, then]) && paid === wouldHavePaid) continue
      effect.sales++
      effect.paid += paid
      effect.wouldHavePaid += wouldHavePaid
    }
    const scope = isOf(sql`t`, accountId, subject)
    const leads = haveRules ? await leadsOf(tx, accountId, { since: since!, until: until!, scope, appliesTo }) : []
    for (let at = 0; at < leads.length; at += AT_ONCE) {
      const some = leads.slice(at, at + AT_ONCE)
      const now = await readSaleTerms(tx, some)
      const then = await readSaleTerms(tx, some, log)
      for (const lead of some) {
        const both = [now.get(lead.id)!, then.get(lead.id)!]
        if (!isConcerned(both)) continue
        const [paid, wouldHavePaid] = both.map((referral) => leadPayNow(account, lead, referral))
        if (paid === null && wouldHavePaid === null) continue
        effect.leads++
        effect.paid += paid ?? 0
        effect.wouldHavePaid += wouldHavePaid ?? 0
      }
    }
    return { currency: account.defaultCurrency, from, to, ...effect, partial: partial || leads.length === MOST }
  })

/** Returns the places of the subject's terms in the log, with that of the version which is not saved. */
async function numbersOf(tx: Transaction, accountId: string, { id }: TermsSubject): Promise<Set<number>> {
  const rows = await tx.many<{ number: number }>`
    select number from terms_log where account_id = ${accountId} and subject_id = ${id}`
  return new Set([UNSAVED, ...rows.map(({ number }) => number)])
}

/** Whether the sale or lead in a row may be paid by the subject's terms: a group's also after its partner has left. */
function isOf(row: Sql, accountId: string, { kind, id }: TermsSubject): Sql {
  if (kind === 'partner') return sql`${row}.partner_id = ${id}`
  if (kind === 'link') return sql`${row}.blueprint_id = ${id}`
  if (kind === 'account') return sql`true`
  return sql`${row}.partner_id in (select partner_id from terms_log where account_id = ${accountId} and group_id = ${id})`
}

type MonthLead = Referred & { leadId: string; email: string | null; status: string; events: LeadEvent[] }

type LeadMonth = { since: string; until: string; scope: Sql; appliesTo: Reach }

/** Returns the leads that were first qualified or won in the month and may pay. */
const leadsOf = (tx: Transaction, accountId: string, { since, until, scope, appliesTo }: LeadMonth) => {
  const within = (at: Sql) => sql`(${at} >= ${since} and ${at} < ${until})`
  const referredAt = sql`coalesce(t.attributed_at, t.created_at)`
  return tx.many<MonthLead>`
    select t.id, t.id as lead_id, t.account_id, t.partner_id, t.blueprint_id, ${referredAt} as referred_at, t.email, t.status,
      array_remove(array[case when ${within(sql`t.first_qualified_at`)} then 'qualified-lead' end,
        case when ${within(sql`t.first_won_at`)} then 'new-customer' end], null) as events
    from leads t
    where t.account_id = ${accountId} and t.partner_id is not null and t.source <> 'import' and t.status <> 'duplicate'
      and (${within(sql`t.first_qualified_at`)} or ${within(sql`t.first_won_at`)}) and ${scope}
      and ${appliesTo === 'all-sales' ? sql`true` : within(referredAt)}
    order by t.created_at desc, t.id desc limit ${MOST}`
}

/** Returns a lead's remaining pay for all layers under these terms; null if no rule matches. */
function leadPayNow(
  { selfReferralPolicy }: AccountFacts,
  lead: MonthLead,
  { terms, version, referrerEmails }: Referral,
) {
  const isOwn = lead.email !== null && referrerEmails.includes(lead.email)
  if (!version || refusesLead(selfReferralPolicy, isOwn)) return null
  const rules = lead.events.flatMap((event) => {
    const rule = leadRule(version, event, terms.lead)
    return rule === undefined ? [] : [{ event, rule }]
  })
  if (rules.length === 0) return null
  return rules
    .filter(({ event }) => retainsPay(event, lead.status))
    .flatMap(({ rule }) => leadPay({ rule, line: terms.line }, version))
    .reduce((sum, { amount }) => sum + amount, 0)
}

type Month = { month: Sql; customers: Sql; accountId: string; haveRules: boolean }

/**
 * Sales with the place of their way to earn, from 0: they share referrer, link, and `era`, the last version for new
 * customers alone that touches them. `haveRules`: with the facts that only rules need.
 */
const salesOf = (log: Sql, { month, customers, accountId, haveRules }: Month) => sql`
  select s.*, dense_rank() over (order by s.partner_id, s.blueprint_id, s.era) - 1 as way,
    ${haveRules ? factsOfRules(sql`${accountId}::uuid`) : noFacts}
  from (
    select s.*, (select max(t.saved_at) from ${log} t
      where t.account_id = ${accountId} and t.applies_to = 'new-customers' and t.saved_at <= s.referred_at) as era
    from (
      select s.id, s.account_id, s.lead_id, s.partner_id, s.blueprint_id, s.amount, s.account_amount, s.gross_amount,
        s.refunded_amount, s.sale_date, s.external_id, s.country, s.partner_code,
        coalesce(s.referred_at, l.attributed_at, l.created_at) as referred_at, l.country as lead_country,
        ${haveRules ? sql`s.lines, s.metadata, l.metadata as lead_metadata` : sql`null::jsonb as lines, '{}'::jsonb as metadata, '{}'::jsonb as lead_metadata`}
      from sales s left join leads l on l.account_id = s.account_id and l.id = s.lead_id
      where ${month}
      order by s.sale_date desc, s.id desc limit ${MOST}) s
    where ${customers}) s
  order by s.sale_date, s.id`

/** Whether sale `o` is one of the customer of sale `s` and has a place. */
const isOfCustomer = (account: Sql) => sql`o.account_id = ${account} and o.lead_id = s.lead_id and ${hasPlace(sql`o`)}`

const noFacts = sql`null::jsonb as refunds, null::integer as customer_place, null::date as customer_since`

const factsOfRules = (
  account: Sql,
) => sql`case when s.lines is not null and s.refunded_amount > 0 then ${countedRefunds(account, sql`s`)} end as refunds,
  (select count(*)::integer + 1 from sales o where ${isOfCustomer(account)} and ${placeOrder(sql`o`)} < ${placeOrder(sql`s`)}) as customer_place,
  (select coalesce(min(o.sale_date), s.sale_date) from sales o where ${isOfCustomer(account)}) as customer_since`

async function* readInTurns(tx: Transaction, sales: Sql): AsyncGenerator<MonthSale> {
  const { text, values } = compileSql(sales)
  await tx.client.query(`declare sales_of_month no scroll cursor for ${text}`, values)
  for (;;) {
    const rows = await tx.many<MonthSale>`fetch ${rawSql(String(AT_ONCE))} from sales_of_month`
    yield* rows
    if (rows.length < AT_ONCE) return
  }
}

/** Returns the commission of all layers on a sale, less its refunds. */
function computeKept(sale: MonthSale, { terms, version }: Referral, used: Used) {
  const lead = { country: sale.leadCountry, metadata: sale.leadMetadata }
  const credit = underCaps({ ...sale, credit: { ...terms, lead }, terms: version }, used, 0)!
  const losses = { refunds: sale.refunds ?? [], lost: sale.refundedAmount }
  const layers = layersAfter(sale, credit, version, losses)
  used.add(sale, layers.find(({ layer }) => layer === 0)?.kept ?? 0)
  return layers.reduce((sum, { kept }) => sum + kept, 0)
}

async function subjectOf(
  tx: Transaction,
  accountId: string,
  { partnerId, groupId, blueprintId }: OtherRates,
): Promise<TermsSubject> {
  if (partnerId) {
    const id = asUuid(partnerId)
    if (!(await tx.maybe`select from partners where id = ${id} and account_id = ${accountId}`))
      throw wrongField('partnerId', 'unknown_partner_in_account')
    return { kind: 'partner', id }
  }
  if (groupId) {
    const { id } = await getGroup(tx, accountId, groupId)
    if (id === accountId) throw refusal('default_group_fixed')
    return { kind: 'group', id }
  }
  if (!blueprintId) return { kind: 'account', id: accountId }
  const id = asUuid(blueprintId)
  if (!(await tx.maybe`select from link_blueprints where id = ${id} and account_id = ${accountId}`))
    throw wrongField('blueprintId', 'unknown_link')
  return { kind: 'link', id }
}
