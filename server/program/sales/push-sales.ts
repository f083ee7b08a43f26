import type { MatchRule, NewPushedSale, Sale } from '#contract/sales.ts'
import { plainCode } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import { asUuid, NIL } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { handleTogether, refusalOfRow } from '../../platform/http/rows.ts'
import { wrongField } from '../../platform/refusal.ts'
import { type Access, buildOwnerView } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { type ClickFacts, clickFacts } from '../clicks/attribution.ts'
import { readNaming } from '../clicks/read-referral.ts'
import { captureLead, type LeadToCapture, toIdentity } from '../leads/capture-lead.ts'
import { type Naming, namedByClick } from '../leads/find-credited-partner.ts'
import { type LeadFacts, leadFacts, lockPeople } from '../leads/lead-facts.ts'
import {
  decideMatch,
  getRuleOrder,
  type MatchFacts,
  type MissedBecause,
  type NamedByCodes,
  type TriedRule,
} from '../leads/match-rules.ts'
import { moveByPromotion, moveLead } from '../leads/move-lead.ts'
import { customersFirst, foundByEmail, hasSales, inTime, type PaidAt, paidAt, paidOn } from '../leads/payment-time.ts'
import { pausedIn } from '../partner-directory/find-partner.ts'
import { deferCounts } from '../stats/count.ts'
import { markReportedDirectly } from './imported-keys.ts'
import { knownSale, lockPayments } from './known-sales.ts'
import { presentSales } from './present-sales.ts'
import { type RecordedSale, recordSales, type SaleToRecord } from './record-sale.ts'
import { refuseFuture } from './sale-date.ts'
import { requireLines } from './sale-lines.ts'

/**
 * A sale reported by an account's own system: by the API, which refuses unknown references, or by an incoming webhook,
 * whose sale creates its lead from the payload and uses the references it can.
 */
export type PushedSale = {
  access: Access
  row: NewPushedSale
  by: Author
  from?: 'api' | 'incoming-webhook'
  /** The incoming webhook. */
  shopId?: string | null
  /** References in addition to the row's referral code. */
  naming?: Pick<Naming, 'clickId' | 'partnerId'>
  /** The customer's total, if reported outside the row. */
  grossAmount?: number | undefined
}
export type PushedAnswer = { status: 200 | 201; sale: Sale }

/**
 * Records pushed sales together: one lead look-up, one booking, however many. An Error refuses only its row. A known
 * external id returns the first sale, 200; also one of an earlier row, whose repetitions are handled after it.
 */
export async function pushSales(tx: Transaction, given: PushedSale[]): Promise<(PushedAnswer | Error)[]> {
  const pushed: PushedSale[] = []
  for (const one of given) pushed.push(await withReadCode(tx, one))
  return pushRead(tx, pushed)
}

/** Replaces a click id or a code that was given as a link, a cookie or with what surrounds it. */
async function withReadCode(tx: Transaction, sale: PushedSale): Promise<PushedSale> {
  const { access, row, naming } = sale
  // the click itself is looked up with its lead
  const isRead = !naming?.clickId || asUuid(naming.clickId) !== NIL
  if (!row.referralCode && isRead) return sale
  const { at } = paymentTime(sale, tx.now)
  const { referralCode: code } = row
  const given = { referralCode: code, ...(!isRead && { clickId: naming.clickId }) }
  const { referralCode = null, clickId } = await readNaming(tx, access.account.id, given, at)
  if (referralCode === (code ?? null) && clickId === given.clickId) return sale
  return {
    ...sale,
    row: { ...row, referralCode },
    ...(clickId && { naming: { ...naming, clickId: isRead ? (naming?.clickId ?? clickId) : clickId } }),
  }
}

async function pushRead(tx: Transaction, pushed: PushedSale[]): Promise<(PushedAnswer | Error)[]> {
  const firsts = new Map<string, PushedSale>()
  for (const one of pushed) if (!firsts.has(nameOf(one))) firsts.set(nameOf(one), one)
  if (firsts.size === pushed.length) return pushEachOnce(tx, pushed)
  const firstOf = (one: PushedSale) => firsts.get(nameOf(one))!
  const answers = new Map<PushedSale, PushedAnswer | Error>()
  const push = async (some: PushedSale[], by: typeof pushRead) => {
    const given = some.length > 0 ? await by(tx, some) : []
    for (const [at, one] of some.entries()) answers.set(one, given[at]!)
  }
  await push([...firsts.values()], pushEachOnce)
  const again = pushed.filter((one) => firstOf(one) !== one)
  const { refused = [], known = [] } = Object.groupBy(again, (one) =>
    answers.get(firstOf(one)) instanceof Error ? 'refused' : 'known',
  )
  await push(known, pushEachOnce)
  await push(refused, pushRead)
  return pushed.map((one) => answers.get(one)!)
}

const nameOf = ({ access, row }: PushedSale) => `${access.account.id} ${row.externalId}`

async function pushEachOnce(tx: Transaction, pushed: PushedSale[]): Promise<(PushedAnswer | Error)[]> {
  const accountIds = pushed.map(({ access }) => access.account.id)
  const [accounts, { found, leads }] = await Promise.all([
    holdAccounts(tx, accountIds),
    lockPayments(tx, pushed.map(paymentOf)).then(() => findLocked(tx, pushed)),
  ])
  const known = pushed.flatMap(({ access: { account } }, at) => {
    const { saleId } = found[at]!
    return saleId ? { accountId: account.id, saleId } : []
  })
  for (const [accountId, own] of Map.groupBy(known, (one) => one.accountId))
    await markReportedDirectly(
      tx,
      accountId,
      own.map(({ saleId }) => saleId),
    )
  const list: List = { tx, accounts, leads, changedLeads: false, buyers: new Set() }
  const prepareAll = async () => {
    const prepared: (SaleToRecord | RecordedSale | Error)[] = []
    for (const [index, item] of pushed.entries())
      prepared.push(await prepare(list, item, found[index]!).catch(refusalOfRow))
    return prepared
  }
  const result = await deferCounts(tx, prepareAll, (prepared) =>
    handleTogether(prepared, isToRecord, (sales) => recordSales(tx, sales, { accounts, leads, areNew: true })),
  )
  const sales = await present(tx, pushed, result)
  return result.map((row) =>
    row instanceof Error ? row : { status: row.created ? (201 as const) : (200 as const), sale: sales.get(row.id)! },
  )
}

const isToRecord = (row: SaleToRecord | RecordedSale | Error): row is SaleToRecord => 'account' in row

/**
 * State shared by the rows of a list. `leads`: as read under their locks. `changedLeads`: a row created a lead, which
 * others may name, or gave one another partner. `buyers`: the leads of the rows so far.
 */
type List = {
  tx: Transaction
  accounts: Map<string, AccountFacts>
  leads: Map<string, LeadFacts>
  changedLeads: boolean
  buyers: Set<string>
}

/**
 * Finds the partners and leads of the rows, with the leads locked before any other is created. A row that may create
 * its lead locks the person first, then searches again: the lead may have been created meanwhile.
 */
async function findLocked(tx: Transaction, pushed: PushedSale[]): Promise<Locked> {
  if (!pushed.some(canCreateLead)) return readLeadLookups(tx, pushed, { locking: true })
  const { found } = await readLeadLookups(tx, pushed)
  const leadIds = found.map((row) => row.leadId).filter((id) => id !== null)
  const makers = pushed.filter((one, index) => {
    const { saleId, leadId, rejected } = found[index]!
    return canCreateLead(one) && !saleId && (!leadId || rejected)
  })
  if (makers.length === 0) return readLeadLookups(tx, pushed, { locking: true })
  const people = makers.map((sale) => ({ ...toIdentity(customerOf(sale)), accountId: sale.access.account.id }))
  const accountIds = pushed.map(({ access }) => access.account.id)
  await lockPeople(tx, accountIds, people, leadIds)
  return readLeadLookups(tx, pushed)
}

const paymentOf = ({ access, row, from = 'api', shopId = null, grossAmount }: PushedSale) => ({
  accountId: access.account.id,
  provider: from,
  shopId,
  externalId: row.externalId,
  amount: row.amount,
  grossAmount: grossAmount ?? row.amount + (row.taxAmount ?? 0),
  payerEmail: row.email ?? null,
  currency: row.currency ?? access.account.defaultCurrency,
})

const canCreateLead = ({ row, from, naming }: PushedSale) =>
  Boolean(row.referralCode) || Boolean(row.promotionCode) || Boolean(naming?.clickId) || from === 'incoming-webhook'

const paymentTime = ({ row, access }: PushedSale, now: Date): PaidAt =>
  row.saleDate ? paidOn(row.saleDate, access.account.timeZone, now) : paidAt(now)

/** Returns the lead that a row creates. */
const customerOf = ({ row, from = 'api' }: PushedSale): LeadToCapture => ({
  source: from,
  email: row.email ?? null,
  externalId: row.leadExternalId,
  hasPaid: true,
})

/**
 * A row's existing sale, or its lead with the rule that found it, and the partners that it names. `late`: the rule that
 * found a lead referred after the sale. `codeEarns`, `promotionMissed`: whether the code's partner gets credit, else
 * why not. `namedId`: a partner named by themselves who gets credit.
 */
type LeadLookup = {
  saleId: string | null
  leadId: string | null
  leadPartnerId: string | null
  rejected: boolean
  hasBought: boolean
  matchedBy: PayersRule | null
  late: 'external-id' | 'email' | null
  latePartnerId: string | null
  codePartnerId: string | null
  codeEarns: boolean
  promotionPartnerId: string | null
  promotionCode: string | null
  promotionMissed: 'given-later' | 'inactive' | null
  namedId: string | null
  click: ClickFacts | null
}
type PayersRule = 'lead-id' | 'external-id' | 'email'
/** `leads`: those locked meanwhile, by id. */
type Locked = { found: LeadLookup[]; leads: Map<string, LeadFacts> }

/** Finds per row the existing sale, else its lead by id, external id or e-mail, locked like `lockLeads`. */
async function readLeadLookups(tx: Transaction, pushed: PushedSale[], { locking = false } = {}): Promise<Locked> {
  const accountIds = pushed.map(({ access }) => access.account.id)
  const account = eachAccount(accountIds, sql`i.account_id`)
  const payments = pushed.map(paymentOf)
  const paid = pushed.map((one) => paymentTime(one, tx.now))
  const paused = pausedIn(sql`i.paid_at`, sql`i.paid_until`)
  const clickIds = pushed.map(({ naming }) => (naming?.clickId ? asUuid(naming.clickId) : null))
  const partnerIds = pushed.map(({ naming }) => (naming?.partnerId ? asUuid(naming.partnerId) : null))
  // most lists have neither
  const byClick = clickIds.some((id) => id !== null)
  const byPartner = partnerIds.some((id) => id !== null)
  const click = clickFacts(
    sql`(select * from clicks where account_id = ${account} and id = i.click_id and not is_bot offset 0)`,
    sql`i.paid_at`,
    account,
  )
  const lockedLeads = rowsByKeySql(sql`leads`, accountIds, sql`select lead_id from found where ${locking}`, {
    lock: sql`for no key update`,
  })
  const rows = await tx.many<LeadLookup & (LeadFacts | { id: null })>`
    with found as (
      select i.place, s.id as sale_id, l.rejected, case when l.in_time then l.matched_by end as matched_by,
        case when l.in_time then l.id end as lead_id,
        case when l.in_time then l.partner_id end as lead_partner_id,
        case when not l.in_time then l.matched_by end as late,
        case when not l.in_time then l.partner_id end as late_partner_id,
        code.partner_id as code_partner_id, code.earns is true as code_earns, promotion.partner_id as promotion_partner_id,
        promotion.code as promotion_code, promotion.missed as promotion_missed,
        buyer.has_sales is true as has_bought,
        ${byPartner ? sql`named.id` : sql`null::uuid`} as named_id, ${byClick ? sql`click.facts` : sql`null::jsonb`} as click
      from unnest(${payments.map((one) => one.accountId)}::uuid[], ${payments.map((one) => one.provider)}::text[],
          ${payments.map((one) => one.shopId)}::uuid[], ${payments.map((one) => one.externalId)}::text[],
          ${payments.map((one) => one.currency)}::text[], ${payments.map((one) => one.amount)}::bigint[],
          ${payments.map((one) => one.grossAmount)}::bigint[], ${payments.map((one) => one.payerEmail)}::text[],
          ${pushed.map(({ row }) => (row.leadId ? asUuid(row.leadId) : null))}::uuid[],
          ${pushed.map(({ row }) => row.leadExternalId ?? null)}::text[],
          ${pushed.map(({ row }) => (row.referralCode ? plainCode(row.referralCode) : null))}::text[],
          ${pushed.map(({ row }) => row.promotionCode ?? null)}::text[],
          ${paid.map(({ at }) => at)}::timestamptz[], ${paid.map(({ until }) => until)}::timestamptz[],
          ${paid.map(({ referredBy }) => referredBy)}::timestamptz[], ${clickIds}::uuid[], ${partnerIds}::uuid[])
          with ordinality as i (account_id, provider, shop_id, external_id, currency, amount, gross_amount, email, lead_id,
            lead_external_id, code, promotion_code, paid_at, paid_until, referred_by, click_id, partner_id, place)
        cross join lateral (select ${knownSale(account)} as id) s
        left join lateral (
          select t.id, t.partner_id, 'lead-id' as matched_by, 1 as rank, t.status = 'rejected' as rejected, true as in_time,
            false as has_sales, t.created_at
          from leads t where t.account_id = ${account} and t.id = i.lead_id
          union all
          select t.id, t.partner_id, 'external-id', 2, t.status = 'rejected', ${inTime(sql`i.referred_by`)}, false, t.created_at
          from leads t where t.account_id = ${account} and t.external_id = i.lead_external_id
            -- an external ID of a webhook's sender may be that of every guest: the email decides
            and (i.provider <> 'incoming-webhook' or t.email is null or i.email is null or t.email = i.email)
          union all
          select t.id, t.partner_id, 'email', 3, t.status = 'rejected', ${inTime(sql`i.referred_by`)}, ${hasSales(account)}, t.created_at
          from leads t where t.account_id = ${account} and t.email = i.email and ${foundByEmail(account, tx.now)}
            and (t.status <> 'rejected' or i.code is null)
          order by in_time desc, rank, rejected, ${customersFirst} limit 1
        ) l on s.id is null
        left join lateral (
          select p.id as partner_id, p.state = 'active' and not ${paused} as earns
          from referral_codes c join partners p on p.account_id = c.account_id and p.id = c.partner_id
          where c.account_id = ${account} and c.code = i.code limit 1
        ) code on true
        left join lateral (
          select p.id as partner_id, c.code, case
              when c.created_at > i.referred_by then 'given-later'
              when p.state <> 'active' or ${paused} then 'inactive' end as missed
          from promotion_codes c join partners p on p.account_id = c.account_id and p.id = c.partner_id
          where c.account_id = ${account} and lower(c.code) = lower(i.promotion_code) and not c.pending limit 1
        ) promotion on true
        left join lateral (
          select ${hasSales(account)} as has_sales from (select l.id) t
        ) buyer on l.in_time
        ${
          byPartner
            ? sql`left join lateral (
                select p.id from partners p
                where p.account_id = ${account} and p.id = i.partner_id and p.state = 'active' and not ${paused}
              ) named on true`
            : sql``
        }
        ${
          byClick
            ? sql`left join lateral (
                select jsonb_build_object('id', c.id, 'partnerId', c.partner_id, 'blueprintId', c.blueprint_id,
                  'linkId', c.link_id, 'subId', c.sub_id, 'country', c.country, 'model', c.model,
                  'withinWindow', c.within_window, 'gone', c.gone) as facts from (${click}) c) click on true`
            : sql``
        }
    ), locked as materialized (
      select ${leadFacts(accountIds)} from ${lockedLeads}
    )
    select f.sale_id, f.lead_id, f.lead_partner_id, f.rejected, f.has_bought, f.matched_by, f.late, f.late_partner_id,
      f.code_partner_id, f.code_earns, f.promotion_partner_id, f.promotion_code, f.promotion_missed, f.named_id, f.click,
      l.*
    from found f left join locked l on l.id = f.lead_id order by f.place`
  const leads = rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const]))
  return { found: rows, leads: new Map(leads) }
}

async function prepare(list: List, pushed: PushedSale, found: LeadLookup): Promise<SaleToRecord | RecordedSale> {
  if (found.saleId) return { id: found.saleId, created: false, partnerId: null, sale: undefined }
  const { row, by, access } = pushed
  const account = list.accounts.get(access.account.id)!
  const saleDate = refuseFuture(account, list.tx.now, row.saleDate ?? null)
  const lines = requireLines(row.amount, row.lines)
  const { id: leadId, ...credited } = await resolveLead(list, account, pushed, found)
  if (leadId) list.buyers.add(leadId)
  return {
    ...paymentOf(pushed),
    account,
    leadId,
    taxAmount: row.taxAmount ?? 0,
    currency: row.currency ?? null,
    saleDate,
    description: row.description ?? null,
    subscriptionId: row.subscriptionId ?? null,
    lines,
    country: row.country ?? null,
    promotionCodes: row.promotionCode ? [row.promotionCode] : [],
    partnerCode: found.promotionPartnerId !== null,
    ...credited,
    metadata: row.metadata ?? {},
    by,
  }
}

/** As for a sale; `evidence`: the other rules. */
type RowsLead = { id: string | null } & Pick<SaleToRecord, 'matchedBy' | 'named' | 'creditTo' | 'knownBy'> & {
    evidence: TriedRule[]
  }

/** Does what the rules say of a row's lead: uses it, gives it to a partner or creates it. Refuses what the API does not know. */
async function resolveLead(
  list: List,
  account: AccountFacts,
  pushed: PushedSale,
  before: LeadLookup,
): Promise<RowsLead> {
  const { tx } = list
  const { by, from = 'api' } = pushed
  // an earlier row may have created the lead, or given it its partner
  const again = list.changedLeads && (!before.leadPartnerId || before.promotionPartnerId !== null)
  const found = again ? (await readLeadLookups(tx, [pushed])).found[0]! : before
  const { match, rule, named, tried, refused } = decideMatch(account, from, factsOf(list, account, pushed, found))
  if (refused === 'leadId') throw wrongField('leadId', 'unknown_lead_in_account')
  if (refused) throw wrongField('referralCode', 'unknown_referral_code')
  if (!match) return withoutPartner(list, account, pushed, found, tried)
  const { at } = paymentTime(pushed, tx.now)
  const { matchedBy } = named ?? {}
  if ('makeLead' in match) {
    const attribution = match.makeLead
    const person = { ...customerFor(attribution.partnerId, pushed, found), at, attribution }
    const { leadId } = await captureLead(tx, account, person)
    return { id: changed(list, leadId), matchedBy: rule, named: true, evidence: tried }
  }
  const { leadId, moveTo, creditTo, knownBy } = match
  if (moveTo && matchedBy === 'coupon') await moveByPromotion(tx, by, account, leadId, { partnerId: moveTo, at })
  else if (moveTo) {
    const move = { partnerId: moveTo, reason: 'Named by a pushed sale', named: { ...named!, at } }
    await moveLead(tx, by, account, leadId, move)
  }
  return {
    id: moveTo ? changed(list, leadId) : leadId,
    matchedBy: rule,
    creditTo,
    knownBy,
    // a lead given its partner by another row of the list has it from then on
    named: named ? true : rule === 'lead-id' ? found.leadPartnerId !== null : undefined,
    evidence: tried,
  }
}

function changed(list: List, leadId: string) {
  list.leads.delete(leadId)
  list.changedLeads = true
  return leadId
}

/** Returns the lead of a row whose payer is unknown and which names no partner who gets credit. */
async function withoutPartner(
  list: List,
  account: AccountFacts,
  pushed: PushedSale,
  found: LeadLookup,
  tried: TriedRule[],
): Promise<RowsLead> {
  const { row, from } = pushed
  if (found.late) return { id: null, matchedBy: null, evidence: tried }
  if (!row.referralCode && from !== 'incoming-webhook')
    throw wrongField(row.leadExternalId ? 'leadExternalId' : 'email', 'unknown_lead_without_code')
  const { at } = paymentTime(pushed, list.tx.now)
  const { leadId } = await captureLead(list.tx, account, { ...customerFor(null, pushed, found), at })
  if (row.referralCode) return { id: changed(list, leadId), matchedBy: null, evidence: tried }
  const order: readonly MatchRule[] = getRuleOrder(account, { door: 'incoming-webhook' })
  const isBefore = (rule: MatchRule) => order.indexOf(rule) < order.indexOf('email')
  const evidence = tried.filter(({ rule, outcome }) => isBefore(rule) || (rule !== 'email' && outcome !== 'absent'))
  return { id: changed(list, leadId), matchedBy: 'email', evidence }
}

/** Returns what the rules are told of a row. */
function factsOf({ buyers }: List, account: AccountFacts, { row, naming }: PushedSale, found: LeadLookup): MatchFacts {
  const { leadId, matchedBy, late, latePartnerId, click } = found
  const lead = leadId !== null && {
    leadId,
    partnerId: found.leadPartnerId,
    hasSales: found.hasBought || buyers.has(leadId),
    rejected: found.rejected,
    inTime: true,
  }
  const lateLead = { leadId: '', partnerId: latePartnerId, hasSales: false, rejected: false, inTime: false }
  const code = namedBy(found.codePartnerId, row.referralCode, found.codeEarns ? null : 'inactive')
  const given = { 'lead-id': row.leadId, 'external-id': row.leadExternalId, email: row.email }
  const named = { blueprintId: null, clickId: null, model: account.attributionModel, matchedBy: 'manual' } as const
  return {
    clicks: click?.withinWindow ? [{ named: namedByClick(click), isGone: click.gone }] : [],
    clickMissing: naming?.clickId ? (click ? 'expired' : 'unknown') : undefined,
    partner: found.namedId === null ? undefined : { ...named, partnerId: found.namedId },
    codes: code,
    coupons: namedBy(found.promotionPartnerId, found.promotionCode ?? row.promotionCode, found.promotionMissed),
    leads: { ...(lead && matchedBy && { [matchedBy]: lead }), ...(late && { [late]: lateLead }) },
    unknown: (['lead-id', 'external-id', 'email'] as const).filter((rule) => given[rule]),
  }
}

function namedBy(id: string | null, code: string | null | undefined, missed: MissedBecause | null): NamedByCodes {
  const partner = id !== null && code ? { id, code } : undefined
  const outcome = partner ? (missed ?? 'outranked') : code ? 'unknown' : 'absent'
  return { earning: partner && !missed ? [partner] : [], missing: { outcome, partner } }
}

/**
 * Returns the lead that a row creates for a partner: without its external id if that is another lead's for good, or
 * is named beside a rejected lead.
 */
function customerFor(partnerId: string | null, pushed: PushedSale, found: LeadLookup): LeadToCapture {
  const { rejected, matchedBy, late, latePartnerId } = found
  const isTaken = rejected ? matchedBy !== 'email' : late === 'external-id' && latePartnerId !== partnerId
  return { ...customerOf(pushed), ...(isTaken && { externalId: null }) }
}

/** Returns the sales as their accounts' owners see them; reads only those that existed before. */
async function present(tx: Transaction, pushed: PushedSale[], results: (RecordedSale | Error)[]) {
  const rows = results.filter((row): row is RecordedSale => !(row instanceof Error))
  const known = rows.filter(({ sale }) => !sale).map(({ id }) => id)
  const owners = buildOwnerView(pushed.map(({ access }) => access.account.id))
  const all = known.length > 0 ? await presentSales(tx, owners, known) : new Map<string, Sale>()
  for (const { id, sale } of rows) if (sale) all.set(id, sale)
  return all
}
