import type { MatchRule, NewPushedSale, Sale } from '#contract/sales.ts'
import type { By } from '../../platform/author.ts'
import { accountOf, byKey } from '../../platform/database/by-key.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { handleTogether, refusalOfRow } from '../../platform/http/rows.ts'
import { wrongField } from '../../platform/refusal.ts'
import { type Access, wholeViewOf } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/hold-accounts.ts'
import type { Naming } from '../leads/attribution.ts'
import { captureLead, identityOf, type LeadToCapture } from '../leads/capture-lead.ts'
import { type LeadFacts, leadFacts, lockPeople } from '../leads/lead-facts.ts'
import { findLeadForPayment, type TriedRule } from '../leads/match-payment.ts'
import { moveLead } from '../leads/move-lead.ts'
import { foundByEmail, inTime, type PaidAt, paidAt, paidOn } from '../leads/paid-at.ts'
import { findPartnerByCode } from '../partner-lookup/find-partner.ts'
import { deferCounts } from '../stats/count.ts'
import { knownSale, lockPayments } from './known-sales.ts'
import { presentSales } from './present-sales.ts'
import { type RecordedSale, recordSales, type SaleToRecord } from './record-sale.ts'
import { refuseFuture } from './sale-date.ts'
import { givenLines } from './sale-lines.ts'

/**
 * A sale reported by an account's own system: by the API, which refuses unknown references, or by an incoming webhook,
 * whose sale creates its lead from the payload and uses the references it can.
 */
export type PushedSale = {
  access: Access
  row: NewPushedSale
  by: By
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
 * external id returns the first sale, 200.
 */
export async function pushSales(tx: Transaction, pushed: PushedSale[]): Promise<(PushedAnswer | Error)[]> {
  const accountIds = pushed.map(({ access }) => access.account.id)
  const [accounts, { found, leads }] = await Promise.all([
    holdAccounts(tx, accountIds),
    lockPayments(tx, pushed.map(paymentOf)).then(() => findLocked(tx, pushed)),
  ])
  const list: List = { tx, accounts, leads, changedLeads: false }
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
 * others may name, or gave one its first partner.
 */
type List = {
  tx: Transaction
  accounts: Map<string, AccountFacts>
  leads: Map<string, LeadFacts>
  changedLeads: boolean
}

/**
 * Finds the partners and leads of the rows, with the leads locked before any other is created. A row that may create
 * its lead locks the person first, then searches again: the lead may have been created meanwhile.
 */
async function findLocked(tx: Transaction, pushed: PushedSale[]): Promise<Locked> {
  if (!pushed.some(mayMakeLead)) return findLeads(tx, pushed, { locking: true })
  const { found } = await findLeads(tx, pushed)
  const leadIds = found.map((row) => row.leadId).filter((id) => id !== null)
  const makers = pushed.filter((one, index) => {
    const { saleId, leadId } = found[index]!
    return mayMakeLead(one) && !saleId && (!leadId || asksPromotion(one, found[index]!))
  })
  if (makers.length === 0) return findLeads(tx, pushed, { locking: true })
  const people = makers.map((sale) => ({ ...identityOf(customerOf(sale)), accountId: sale.access.account.id }))
  const accountIds = pushed.map(({ access }) => access.account.id)
  await lockPeople(tx, accountIds, people, leadIds)
  return findLeads(tx, pushed)
}

const paymentOf = ({ access, row, from = 'api', shopId = null, grossAmount }: PushedSale) => ({
  ...{ accountId: access.account.id, provider: from, shopId, externalId: row.externalId },
  ...{
    amount: row.amount,
    grossAmount: grossAmount ?? row.amount + (row.taxAmount ?? 0),
    payerEmail: row.email ?? null,
  },
  currency: row.currency ?? access.account.defaultCurrency,
})

const mayMakeLead = ({ row, from }: PushedSale) =>
  Boolean(row.referralCode) || Boolean(row.promotionCode) || from === 'incoming-webhook'

/** Whether to use the promotion code: it precedes an e-mail and follows everything else. */
const asksPromotion = ({ row }: PushedSale, { leadId, matchedBy }: Found) =>
  Boolean(row.promotionCode) && !row.referralCode && (!leadId || matchedBy === 'email')

const paidWhen = ({ row, access }: PushedSale, now: Date): PaidAt =>
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

/** The partners the row names besides its lead, by rule. `late`: the rule that found a lead referred after the sale. */
type Candidates = {
  late: 'external-id' | 'email' | null
  latePartnerId: string | null
  codePartnerId: string | null
  promotionPartnerId: string | null
}
type Found = Candidates & {
  saleId: string | null
  leadId: string | null
  leadPartnerId: string | null
  rejected: boolean
  matchedBy: 'lead-id' | 'external-id' | 'email' | null
}
/** `leads`: those locked meanwhile, by id. */
type Locked = { found: Found[]; leads: Map<string, LeadFacts> }

/** Finds per row the existing sale, else its lead by id, external id or e-mail, locked like `lockLeads`. */
async function findLeads(tx: Transaction, pushed: PushedSale[], { locking = false } = {}): Promise<Locked> {
  const accountIds = pushed.map(({ access }) => access.account.id)
  const account = accountOf(accountIds, sql`i.account_id`)
  const payments = pushed.map(paymentOf)
  const lockedLeads = byKey(sql`leads`, accountIds, sql`select lead_id from found where ${locking}`, {
    lock: sql`for no key update`,
  })
  const rows = await tx.many<Found & (LeadFacts | { id: null })>`
    with found as (
      select i.place, s.id as sale_id, l.matched_by, l.rejected, case when l.in_time then l.id end as lead_id,
        case when l.in_time then l.partner_id end as lead_partner_id,
        case when not l.in_time then l.matched_by end as late,
        case when not l.in_time then l.partner_id end as late_partner_id,
        code.partner_id as code_partner_id, promotion.partner_id as promotion_partner_id
      from unnest(${payments.map((one) => one.accountId)}::uuid[], ${payments.map((one) => one.provider)}::text[],
          ${payments.map((one) => one.shopId)}::uuid[], ${payments.map((one) => one.externalId)}::text[],
          ${payments.map((one) => one.currency)}::text[], ${payments.map((one) => one.amount)}::bigint[],
          ${payments.map((one) => one.grossAmount)}::bigint[], ${payments.map((one) => one.payerEmail)}::text[],
          ${pushed.map(({ row }) => (row.leadId ? asUuid(row.leadId) : null))}::uuid[],
          ${pushed.map(({ row }) => row.leadExternalId ?? null)}::text[],
          ${pushed.map(({ row }) => row.referralCode?.trim().toLowerCase() ?? null)}::text[],
          ${pushed.map(({ row }) => row.promotionCode ?? null)}::text[],
          ${pushed.map((one) => paidWhen(one, tx.now).referredBy)}::timestamptz[])
          with ordinality as i (account_id, provider, shop_id, external_id, currency, amount, gross_amount, email, lead_id,
            lead_external_id, code, promotion_code, referred_by, place)
        cross join lateral (select ${knownSale(account)} as id) s
        left join lateral (
          select t.id, t.partner_id, 'lead-id' as matched_by, 1 as rank, t.status = 'rejected' as rejected, true as in_time,
            t.created_at
          from leads t where t.account_id = ${account} and t.id = i.lead_id
          union all
          select t.id, t.partner_id, 'external-id', 2, t.status = 'rejected', ${inTime(sql`i.referred_by`)}, t.created_at
          from leads t where t.account_id = ${account} and t.external_id = i.lead_external_id
          union all
          select t.id, t.partner_id, 'email', 3, t.status = 'rejected', ${inTime(sql`i.referred_by`)}, t.created_at
          from leads t where t.account_id = ${account} and t.email = i.email and ${foundByEmail(account, tx.now)}
            and (t.status <> 'rejected' or i.code is null)
          order by in_time desc, rank, rejected, created_at, id limit 1
        ) l on s.id is null
        left join lateral (
          select partner_id from referral_codes where account_id = ${account} and referral_codes.code = i.code limit 1
        ) code on true
        left join lateral (
          select partner_id from promotion_codes c
          where c.account_id = ${account} and lower(c.code) = lower(i.promotion_code) limit 1
        ) promotion on true
    ), locked as materialized (
      select ${leadFacts} from ${lockedLeads}
    )
    select f.sale_id, f.lead_id, f.lead_partner_id, f.rejected, f.matched_by, f.late, f.late_partner_id, f.code_partner_id,
      f.promotion_partner_id, l.*
    from found f left join locked l on l.id = f.lead_id order by f.place`
  const leads = rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const]))
  return { found: rows, leads: new Map(leads) }
}

async function prepare(list: List, pushed: PushedSale, found: Found): Promise<SaleToRecord | RecordedSale> {
  if (found.saleId) return { id: found.saleId, created: false, partnerId: null, sale: undefined }
  const { row, by, access } = pushed
  const account = list.accounts.get(access.account.id)!
  const saleDate = refuseFuture(account, list.tx.now, row.saleDate ?? null)
  const lines = givenLines(row.amount, row.lines)
  const { id: leadId, matchedBy, partnerId, named, tried } = await leadOf(list, account, pushed, found)
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
    matchedBy,
    named,
    evidence: tried ?? [...triedFor(row, found), ...othersNamed(found, partnerId)],
    metadata: row.metadata ?? {},
    by,
  }
}

/** Returns the rules tried before the one that found the lead of a pushed sale; all of them if none did. */
function triedFor({ leadId, leadExternalId, email }: NewPushedSale, found: Found): TriedRule[] {
  const carried = [
    { rule: 'lead-id', value: leadId },
    { rule: 'external-id', value: leadExternalId },
    { rule: 'email', value: email },
  ] as const
  const at = found.leadId ? carried.findIndex(({ rule }) => rule === found.matchedBy) : -1
  const missed = at < 0 ? carried : carried.slice(0, at)
  return missed.map(({ rule, value }) =>
    rule === found.late
      ? { rule, outcome: 'referred-later', partnerId: found.latePartnerId }
      : { rule, outcome: value ? 'unknown' : 'absent' },
  )
}

/** Returns the partners named by codes beside a known lead: they are recorded, but get no credit. */
const othersNamed = ({ codePartnerId, promotionPartnerId }: Found, credited: string | null): TriedRule[] =>
  [
    { rule: 'code' as const, partnerId: codePartnerId },
    { rule: 'coupon' as const, partnerId: promotionPartnerId },
  ]
    .filter(({ partnerId }) => partnerId !== null && partnerId !== credited)
    .map((named) => ({ ...named, outcome: 'outranked' }))

/** `partnerId`: the credited partner; `named` as for a sale; `tried`: set if more rules were tried than by the row's own look-up. */
type RowsLead = {
  id: string | null
  matchedBy: MatchRule | null
  partnerId: string | null
  named?: boolean | undefined
  tried?: TriedRule[]
}

/** Returns a known lead that has a partner; else a code creates the lead, or gives it its first partner. */
async function leadOf(list: List, account: AccountFacts, pushed: PushedSale, before: Found): Promise<RowsLead> {
  const { tx } = list
  const { row, by, from } = pushed
  const paid = paidWhen(pushed, tx.now)
  // an earlier row may have created it, or given it its partner
  const found = !before.leadPartnerId && list.changedLeads ? (await findLeads(tx, [pushed])).found[0]! : before
  // a lead given its partner by another row of the list has it from then on
  const named = found.matchedBy === 'lead-id' ? found.leadPartnerId !== null : undefined
  const known = { id: found.leadId, matchedBy: found.matchedBy, partnerId: found.leadPartnerId, named }
  if (asksPromotion(pushed, found)) {
    const promoted = await leadOfPromotion(list, account, pushed, paid)
    if (promoted) return promoted
  }
  if (found.leadId && (found.leadPartnerId || found.rejected || !row.referralCode)) return known
  if (row.leadId && !found.leadId) throw wrongField('leadId', 'unknown_lead_in_account')
  if (!row.referralCode && found.late) return { id: null, matchedBy: null, partnerId: null }
  if (!row.referralCode && from !== 'incoming-webhook')
    throw wrongField(row.leadExternalId ? 'leadExternalId' : 'email', 'unknown_lead_without_code')
  if (found.leadId) {
    const partner = row.referralCode ? await findPartnerByCode(tx, account.id, row.referralCode, paid) : undefined
    if (!partner && from !== 'incoming-webhook') throw wrongField('referralCode', 'unknown_referral_code')
    if (!partner?.earns) {
      const code = { rule: 'code', outcome: partner ? 'inactive' : 'unknown', partnerId: partner?.id ?? null } as const
      return { ...known, tried: [...triedFor(row, found), code] }
    }
    const move = { partnerId: partner.id, reason: 'Named by a pushed sale' }
    await moveLead(tx, by, account, found.leadId, { ...move, named: { at: paid.at, matchedBy: 'code' } })
    list.leads.delete(found.leadId)
    list.changedLeads = true
    return { id: found.leadId, matchedBy: 'code', partnerId: partner.id }
  }
  const made = await captureLead(tx, account, { ...customerOf(pushed), at: paid.at })
  list.leads.delete(made.leadId)
  list.changedLeads = true
  return { id: made.leadId, matchedBy: row.referralCode ? 'code' : 'email', partnerId: found.codePartnerId }
}

/**
 * Applies the rules of payments: the promotion code's partner, or the payer's existing one; null if neither is known.
 */
async function leadOfPromotion(
  list: List,
  account: AccountFacts,
  pushed: PushedSale,
  paid: PaidAt,
): Promise<RowsLead | null> {
  const { row } = pushed
  const refs = { references: [], promotionCodes: [row.promotionCode!], email: row.email ?? null }
  const { match, tried: all } = await findLeadForPayment(list.tx, account, refs, paid.at, { paid })
  if (!match) return null
  const asked = all.filter(({ rule }) => rule === 'coupon' || rule === 'email')
  const before = triedFor({ ...row, email: null }, NOTHING).filter(({ rule }) => rule !== 'email')
  const tried = [...before, ...asked]
  if ('leadId' in match) return { id: match.leadId, matchedBy: match.matchedBy, partnerId: null, tried }
  const { makeLead: attribution } = match
  const made = await captureLead(list.tx, account, { ...customerOf(pushed), at: paid.at, attribution })
  list.leads.delete(made.leadId)
  list.changedLeads = true
  return { id: made.leadId, matchedBy: 'coupon', partnerId: attribution.partnerId, tried }
}

const NOTHING: Found = {
  ...{ saleId: null, leadId: null, leadPartnerId: null, rejected: false, matchedBy: null },
  ...{ late: null, latePartnerId: null, codePartnerId: null, promotionPartnerId: null },
}

/** Returns the sales as their accounts' owners see them; reads only those that existed before. */
async function present(tx: Transaction, pushed: PushedSale[], results: (RecordedSale | Error)[]) {
  const rows = results.filter((row): row is RecordedSale => !(row instanceof Error))
  const known = rows.filter(({ sale }) => !sale).map(({ id }) => id)
  const owners = wholeViewOf(pushed.map(({ access }) => access.account.id))
  const all = known.length > 0 ? await presentSales(tx, owners, known) : new Map<string, Sale>()
  for (const { id, sale } of rows) if (sale) all.set(id, sale)
  return all
}
