import type { MatchRule, NewPushedSale, Sale } from '#contract/sales.ts'
import { plainCode } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { handleTogether, refusalOfRow } from '../../platform/http/rows.ts'
import { wrongField } from '../../platform/refusal.ts'
import { type Access, buildOwnerView } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { readNaming } from '../clicks/read-referral.ts'
import { captureLead, type LeadToCapture, toIdentity } from '../leads/capture-lead.ts'
import { type Attribution, findCreditedPartner, type Naming } from '../leads/find-credited-partner.ts'
import { type LeadFacts, leadFacts, lockPeople } from '../leads/lead-facts.ts'
import type { MissedBecause, TriedRule } from '../leads/match-payment.ts'
import { moveByPromotion, moveLead } from '../leads/move-lead.ts'
import { customersFirst, foundByEmail, hasSales, inTime, type PaidAt, paidAt, paidOn } from '../leads/payment-time.ts'
import { findPartnerByCode, pausedIn } from '../partner-directory/find-partner.ts'
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

/** Replaces a code that was given as a link, a cookie or with what surrounds it. */
async function withReadCode(tx: Transaction, sale: PushedSale): Promise<PushedSale> {
  const { access, row } = sale
  if (!row.referralCode) return sale
  const { at } = paymentTime(sale, tx.now)
  const { referralCode = null, clickId } = await readNaming(
    tx,
    access.account.id,
    { referralCode: row.referralCode },
    at,
  )
  if (referralCode === row.referralCode) return sale
  return {
    ...sale,
    row: { ...row, referralCode },
    ...(clickId && { naming: { ...sale.naming, clickId: sale.naming?.clickId ?? clickId } }),
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

const canCreateLead = ({ row, from }: PushedSale) =>
  Boolean(row.referralCode) || Boolean(row.promotionCode) || from === 'incoming-webhook'

const paymentTime = ({ row, access }: PushedSale, now: Date): PaidAt =>
  row.saleDate ? paidOn(row.saleDate, access.account.timeZone, now) : paidAt(now)

/** Returns the lead that a row creates. */
const customerOf = ({ row, from = 'api', naming }: PushedSale): LeadToCapture => ({
  source: from,
  ...naming,
  email: row.email ?? null,
  externalId: row.leadExternalId,
  hasPaid: true,
  referralCode: row.referralCode,
})

/**
 * A row's existing sale, or its lead with the rule that found it, and the partners its codes name. `late`: the rule that
 * found a lead referred after the sale. `codeEarns`, `promotionMissed`: whether the code's partner gets credit, else
 * why not.
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
        buyer.has_sales is true as has_bought
      from unnest(${payments.map((one) => one.accountId)}::uuid[], ${payments.map((one) => one.provider)}::text[],
          ${payments.map((one) => one.shopId)}::uuid[], ${payments.map((one) => one.externalId)}::text[],
          ${payments.map((one) => one.currency)}::text[], ${payments.map((one) => one.amount)}::bigint[],
          ${payments.map((one) => one.grossAmount)}::bigint[], ${payments.map((one) => one.payerEmail)}::text[],
          ${pushed.map(({ row }) => (row.leadId ? asUuid(row.leadId) : null))}::uuid[],
          ${pushed.map(({ row }) => row.leadExternalId ?? null)}::text[],
          ${pushed.map(({ row }) => (row.referralCode ? plainCode(row.referralCode) : null))}::text[],
          ${pushed.map(({ row }) => row.promotionCode ?? null)}::text[],
          ${paid.map(({ at }) => at)}::timestamptz[], ${paid.map(({ until }) => until)}::timestamptz[],
          ${paid.map(({ referredBy }) => referredBy)}::timestamptz[])
          with ordinality as i (account_id, provider, shop_id, external_id, currency, amount, gross_amount, email, lead_id,
            lead_external_id, code, promotion_code, paid_at, paid_until, referred_by, place)
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
    ), locked as materialized (
      select ${leadFacts(accountIds)} from ${lockedLeads}
    )
    select f.sale_id, f.lead_id, f.lead_partner_id, f.rejected, f.has_bought, f.matched_by, f.late, f.late_partner_id,
      f.code_partner_id, f.code_earns, f.promotion_partner_id, f.promotion_code, f.promotion_missed, l.*
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

/**
 * Returns a known lead that has a partner; else a click or an id, the referral code or the promotion code creates the
 * lead, or gives it its first partner. If the account's order is `code-first`, the promotion code is first, and gives a
 * lead that has not bought yet its partner. If orders of returning customers go to their latest click, whom the row names
 * gets the sale, and the customer stays.
 */
async function resolveLead(
  list: List,
  account: AccountFacts,
  pushed: PushedSale,
  before: LeadLookup,
): Promise<RowsLead> {
  const { tx } = list
  const { row, by, from } = pushed
  const paid = paymentTime(pushed, tx.now)
  const judged = await evaluatePromotionCode(list, account, pushed, before)
  const { isFirst, found, kept } = judged
  const decides = !found.rejected && (judged.isReturning || !found.leadPartnerId)
  const directCredit = decides ? await findClickOrIdCredit(tx, account, pushed) : null
  const returning = judged.isReturning ? creditNamed(pushed, judged, directCredit) : null
  if (returning) return returning
  const promotes = found.promotionPartnerId !== null && !found.promotionMissed && !kept
  const credit = (matchedBy: MatchRule | null, id: string | null, partnerId: string | null): RowsLead => ({
    id,
    matchedBy,
    evidence: explainOtherRules(row, found, { matchedBy, partnerId, kept, order: orderOf(isFirst) }),
  })
  const known = () => ({
    ...credit(found.matchedBy, found.leadId, found.leadPartnerId),
    // a lead given its partner by another row of the list has it from then on
    named: found.matchedBy === 'lead-id' ? found.leadPartnerId !== null : undefined,
  })
  const changed = (leadId: string) => {
    list.leads.delete(leadId)
    list.changedLeads = true
    return leadId
  }
  const promoted = async () => {
    const partnerId = found.promotionPartnerId!
    const leadId = await leadOfPromotion(tx, account, pushed, found)
    return credit('coupon', changed(leadId), partnerId)
  }
  if (promotes && isFirst) return promoted()
  if (found.leadPartnerId && !found.rejected) return known()
  if (found.rejected && !(promotes && found.matchedBy === 'email')) return known()
  if (row.leadId && !found.leadId) throw wrongField('leadId', 'unknown_lead_in_account')
  if (directCredit) {
    const leadId = await assignNamedLead(tx, account, pushed, found, directCredit)
    const rule = directCredit.matchedBy === 'click' ? 'click' : (found.matchedBy ?? 'email')
    return { ...credit(rule, changed(leadId), directCredit.partnerId), named: true }
  }
  const isUnknown = row.referralCode && !found.codePartnerId && from !== 'incoming-webhook'
  const isNamed = row.referralCode && (isUnknown || found.codeEarns)
  if (promotes && !isNamed) return promoted()
  if (found.leadId && !row.referralCode) return known()
  if (!row.referralCode && found.late) return credit(null, null, null)
  if (!row.referralCode && from !== 'incoming-webhook')
    throw wrongField(row.leadExternalId ? 'leadExternalId' : 'email', 'unknown_lead_without_code')
  if (found.leadId) {
    const partner = row.referralCode ? await findPartnerByCode(tx, account.id, row.referralCode, paid) : undefined
    if (!partner && from !== 'incoming-webhook') throw wrongField('referralCode', 'unknown_referral_code')
    if (!partner?.earns) return known()
    const move = { partnerId: partner.id, reason: 'Named by a pushed sale' }
    await moveLead(tx, by, account, found.leadId, { ...move, named: { at: paid.at, matchedBy: 'code' } })
    return credit('code', changed(found.leadId), partner.id)
  }
  if (found.late && !found.codeEarns && !isUnknown) return credit(null, null, null)
  const { leadId } = await captureLead(tx, account, { ...customerFor(found.codePartnerId, pushed, found), at: paid.at })
  if (!row.referralCode) return credit('email', changed(leadId), null)
  return found.codeEarns ? credit('code', changed(leadId), found.codePartnerId) : credit(null, changed(leadId), null)
}

/** Returns the partner that a click or an id names in addition to the row's codes; null if none gets credit. */
async function findClickOrIdCredit(
  tx: Transaction,
  account: AccountFacts,
  pushed: PushedSale,
): Promise<Attribution | null> {
  const { naming = {} } = pushed
  if (!naming.clickId && !naming.partnerId) return null
  const { at } = paymentTime(pushed, tx.now)
  return findCreditedPartner(tx, account, naming, { at, strict: false })
}

/** Returns the lead of that partner: a known one, which gets its first partner, or a new one. */
async function assignNamedLead(
  tx: Transaction,
  account: AccountFacts,
  pushed: PushedSale,
  found: LeadLookup,
  attribution: Attribution,
) {
  const { partnerId } = attribution
  const { at } = paymentTime(pushed, tx.now)
  if (!found.leadId)
    return (await captureLead(tx, account, { ...customerFor(partnerId, pushed, found), at, attribution })).leadId
  const move = { partnerId, reason: 'Named by a pushed sale', named: { ...attribution, at } }
  await moveLead(tx, pushed.by, account, found.leadId, move)
  return found.leadId
}

/** `isReturning`: the customer has bought, and orders go to their latest click. */
type Judged = { found: LeadLookup; isFirst: boolean; isReturning: boolean; kept: MissedBecause | null }

/**
 * Returns the row's current look-up, whether its promotion code takes precedence, and why its customer is excluded from
 * it.
 */
async function evaluatePromotionCode(
  list: List,
  account: AccountFacts,
  pushed: PushedSale,
  before: LeadLookup,
): Promise<Judged> {
  const isFirst = account.attributionOrder === 'code-first'
  // an earlier row may have created the lead, or given it its partner
  const again = list.changedLeads && (!before.leadPartnerId || before.promotionPartnerId !== null)
  const found = again ? (await readLeadLookups(list.tx, [pushed])).found[0]! : before
  const { leadId, leadPartnerId, promotionPartnerId } = found
  const hasBought = found.hasBought || (leadId !== null && list.buyers.has(leadId))
  const isReturning = hasBought && !found.rejected && account.returningCustomers === 'latest-click'
  const stays = hasBought && !found.rejected && leadPartnerId !== promotionPartnerId && (isFirst || !leadPartnerId)
  const kept = stays ? (leadPartnerId ? 'bought-before' : 'customer-without-partner') : null
  return { found, isFirst, isReturning, kept }
}

/**
 * Returns the lead of a returning customer, who stays, and the partner whom the row names by a click, an id or a code; null
 * if the customer has no partner and gets one from a click, an id or a referral code.
 */
function creditNamed(
  { row }: PushedSale,
  { found, isFirst }: Judged,
  directCredit: Attribution | null,
): RowsLead | null {
  const { leadId, leadPartnerId } = found
  const byCode = (matchedBy: 'code' | 'coupon', partnerId: string | null, code: string | null | undefined) =>
    partnerId ? [{ matchedBy, partnerId, code: code ?? undefined, blueprintId: null, clickId: null }] : []
  const coupon = byCode('coupon', found.promotionMissed ? null : found.promotionPartnerId, found.promotionCode)
  const besideBy = directCredit?.matchedBy === 'click' ? ('click' as const) : ('code' as const)
  const others = [
    ...(directCredit ? [{ ...directCredit, matchedBy: besideBy }] : []),
    ...byCode('code', found.codeEarns ? found.codePartnerId : null, row.referralCode),
  ]
  const [named] = isFirst ? [...coupon, ...others] : [...others, ...coupon]
  if (!leadPartnerId && named?.matchedBy !== 'coupon') return null
  const knownBy = found.matchedBy!
  const matchedBy = named?.matchedBy ?? knownBy
  const partnerId = named?.partnerId ?? leadPartnerId
  const order = orderOf(isFirst, { isReturning: true })
  const evidence = explainOtherRules(row, found, { matchedBy, partnerId, kept: null, order })
  if (directCredit && directCredit.partnerId !== partnerId)
    evidence.unshift({ rule: 'click', outcome: 'outranked', partnerId: directCredit.partnerId })
  return {
    id: leadId,
    matchedBy,
    knownBy,
    evidence,
    ...(named && partnerId !== leadPartnerId && { creditTo: named }),
    named: named || knownBy === 'lead-id' ? true : undefined,
  }
}

/** Returns the lead of a promotion code's partner: a known one, which is theirs from then on, or a new one. */
async function leadOfPromotion(tx: Transaction, account: AccountFacts, pushed: PushedSale, found: LeadLookup) {
  const { leadId, rejected } = found
  const partnerId = found.promotionPartnerId!
  const { at } = paymentTime(pushed, tx.now)
  if (leadId && !rejected) {
    if (found.leadPartnerId !== partnerId) await moveByPromotion(tx, pushed.by, account, leadId, { partnerId, at })
    return leadId
  }
  const attribution = { partnerId, blueprintId: null, clickId: null, matchedBy: 'coupon' as const }
  return (await captureLead(tx, account, { ...customerFor(partnerId, pushed, found), at, attribution })).leadId
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

type Credited = {
  matchedBy: MatchRule | null
  partnerId: string | null
  kept: MissedBecause | null
  order: MatchRule[]
}

/**
 * Returns the rules tried before the one that found the lead of a pushed sale, and later ones that name another
 * partner.
 */
function explainOtherRules(
  row: NewPushedSale,
  found: LeadLookup,
  { matchedBy, partnerId, kept, order }: Credited,
): TriedRule[] {
  const outcomes: Partial<Record<MatchRule, Omit<TriedRule, 'rule'> | null>> = {
    'lead-id': ofPayer('lead-id', row.leadId, found),
    'external-id': ofPayer('external-id', row.leadExternalId, found),
    email: ofPayer('email', row.email, found),
    code: ofCode(row.referralCode, found.codePartnerId, found.codeEarns ? 'outranked' : 'inactive'),
    coupon: ofCode(
      row.promotionCode && (found.promotionCode ?? row.promotionCode),
      found.promotionPartnerId,
      found.promotionMissed ?? kept ?? 'outranked',
    ),
  }
  const place = matchedBy ? order.indexOf(matchedBy) : -1
  return order.flatMap((rule, index) => {
    const outcome = rule === matchedBy ? null : outcomes[rule]
    if (!outcome) return []
    const isAfter = place >= 0 && index > place
    const other = outcome.partnerId ? outcome.partnerId !== partnerId : !partnerId && outcome.outcome !== 'absent'
    return isAfter && !other ? [] : [{ rule, ...outcome }]
  })
}

const PUSHED = ['lead-id', 'external-id', 'email', 'code'] as const satisfies MatchRule[]

/** The rules of a pushed sale in their order; for a returning customer those that name a partner come first. */
function orderOf(isFirst: boolean, { isReturning = false } = {}): MatchRule[] {
  const others: MatchRule[] = isReturning
    ? ['code', 'coupon', ...PUSHED.filter((rule) => rule !== 'code')]
    : [...PUSHED, 'coupon']
  return isFirst ? ['coupon', ...others.filter((rule) => rule !== 'coupon')] : others
}

/**
 * Returns the outcome of a rule that identifies the payer; null if it found a lead without a partner, or wasn't tried.
 */
function ofPayer(
  rule: PayersRule,
  value: string | null | undefined,
  found: LeadLookup,
): Omit<TriedRule, 'rule'> | null {
  if (rule === found.late) return { outcome: 'referred-later', partnerId: found.latePartnerId }
  if (rule === found.matchedBy) {
    if (found.rejected) return { outcome: 'rejected' }
    return found.leadPartnerId ? { outcome: 'outranked', partnerId: found.leadPartnerId } : null
  }
  if (found.matchedBy && PUSHED.indexOf(rule) > PUSHED.indexOf(found.matchedBy)) return null
  return { outcome: value ? 'unknown' : 'absent' }
}

const ofCode = (
  code: string | null | undefined,
  partnerId: string | null,
  outcome: MissedBecause,
): Omit<TriedRule, 'rule'> =>
  code && partnerId ? { outcome, partnerId, code } : { outcome: code ? 'unknown' : 'absent' }

/** Returns the sales as their accounts' owners see them; reads only those that existed before. */
async function present(tx: Transaction, pushed: PushedSale[], results: (RecordedSale | Error)[]) {
  const rows = results.filter((row): row is RecordedSale => !(row instanceof Error))
  const known = rows.filter(({ sale }) => !sale).map(({ id }) => id)
  const owners = buildOwnerView(pushed.map(({ access }) => access.account.id))
  const all = known.length > 0 ? await presentSales(tx, owners, known) : new Map<string, Sale>()
  for (const { id, sale } of rows) if (sale) all.set(id, sale)
  return all
}
