import type { MatchRule, NewPushedSale, Sale } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import { byKey } from '../../platform/database/by-key.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { Refusal, wrongField } from '../../platform/refusal.ts'
import { type Access, wholeViewOf } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/hold-accounts.ts'
import type { Naming } from '../leads/attribution.ts'
import { captureLead, identityOf, type Submission } from '../leads/capture-lead.ts'
import { type LeadFacts, leadFacts } from '../leads/lead-facts.ts'
import { lockPeople } from '../leads/lock-people.ts'
import type { Tried } from '../leads/match-payment.ts'
import { findPartnerByCode } from '../names/find-partner.ts'
import { type Counts, countedLast } from '../stats/count.ts'
import { reassignLead } from './attribute-sale.ts'
import { knownSale, lockPayments } from './known-sales.ts'
import { presentSales } from './present-sales.ts'
import { type RecordedSale, recordSales, type SaleToRecord } from './record-sale.ts'
import { refuseFuture } from './sale-date.ts'
import { refusePast } from './totals.ts'

/**
 * A sale an account's own system reports: by the API, which is strict about whom it names, or by an incoming webhook,
 * whose sale makes its lead from what was sent, and names whom it can.
 */
export type PushedSale = {
  access: Access
  row: NewPushedSale
  by: By
  from?: 'api' | 'incoming-webhook'
  /** The incoming webhook. */
  shopId?: string | null
  /** Beside the row's referral code. */
  naming?: Pick<Naming, 'clickId' | 'partnerId'>
  /** All that the customer paid, where that is told beside the row. */
  grossAmount?: number | undefined
}
export type PushedAnswer = { status: 200 | 201; sale: Sale }

/**
 * Records pushed sales together: one lead look-up, one booking, however many. An Error refuses its row alone. A known
 * external id is answered with the first sale, 200.
 */
export async function pushSales(tx: Transaction, pushed: PushedSale[]): Promise<(PushedAnswer | Error)[]> {
  const accountIds = pushed.map(({ access }) => access.account.id)
  const [accounts, { found, leads }] = await Promise.all([
    holdAccounts(tx, accountIds),
    lockPayments(tx, pushed.map(paymentOf)).then(() => findLocked(tx, pushed)),
  ])
  const { result, past } = await countedLast(tx, async (counts, last) => {
    const list: List = { tx, accounts, leads, counts, madeLeads: false }
    const prepared: (SaleToRecord | RecordedSale | Error)[] = []
    for (const [index, item] of pushed.entries())
      prepared.push(await prepare(list, item, found[index]!).catch(refusalOnly))
    const toRecord = prepared.filter((row): row is SaleToRecord => 'account' in row)
    const recorded = await recordSales(tx, toRecord, { accounts, leads, areNew: true }, last)
    let next = 0
    return prepared.map((row) => (row instanceof Error || 'id' in row ? row : recorded[next++]!))
  })
  refusePast(past)
  const sales = await present(tx, pushed, result)
  return result.map((row) =>
    row instanceof Error ? row : { status: row.created ? (201 as const) : (200 as const), sale: sales.get(row.id)! },
  )
}

const refusalOnly = (error: unknown) => {
  if (error instanceof Refusal) return error
  throw error
}

/**
 * What is shared by the rows of a list. `leads`: as they are under their locks. `madeLeads`: one of the rows made a lead,
 * which others may name.
 */
type List = {
  tx: Transaction
  accounts: Map<string, AccountFacts>
  leads: Map<string, LeadFacts>
  counts: Counts
  madeLeads: boolean
}

/**
 * Whose the rows are, their leads locked before any other is made. Where a row may make its lead, it locks the person
 * first, then looks again: the lead may have been made meanwhile.
 */
async function findLocked(tx: Transaction, pushed: PushedSale[]): Promise<Locked> {
  if (!pushed.some(mayMakeLead)) return findLeads(tx, pushed, { locking: true })
  const { found } = await findLeads(tx, pushed)
  const leadIds = found.map((row) => row.leadId).filter((id) => id !== null)
  const makers = pushed.filter((row, index) => mayMakeLead(row) && !found[index]!.saleId && !found[index]!.leadId)
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

const mayMakeLead = ({ row, from }: PushedSale) => Boolean(row.referralCode) || from === 'incoming-webhook'

/** The lead a row makes. */
const customerOf = ({ row, from = 'api', naming }: PushedSale): Submission => ({
  source: from,
  ...naming,
  email: row.email ?? null,
  externalId: row.leadExternalId,
  hasPaid: true,
  referralCode: row.referralCode,
})

type Found = { saleId: string | null; leadId: string | null; leadPartnerId: string | null; matchedBy: MatchRule | null }
/** `leads`: those that were locked meanwhile, by id. */
type Locked = { found: Found[]; leads: Map<string, LeadFacts> }

/** Per row the sale that it is already, else its lead by id, external id or e-mail, locked as by `lockLeads`. */
async function findLeads(tx: Transaction, pushed: PushedSale[], { locking = false } = {}): Promise<Locked> {
  const accountIds = new Set(pushed.map(({ access }) => access.account.id))
  const payments = pushed.map(paymentOf)
  const lockedLeads = byKey(sql`leads`, [...accountIds], sql`select lead_id from found where ${locking}`, {
    lock: sql`for no key update`,
  })
  const rows = await tx.many<Found & (LeadFacts | { id: null })>`
    with found as (
      select i.place, s.id as sale_id, l.id as lead_id, l.partner_id, l.matched_by
      from unnest(${payments.map((one) => one.accountId)}::uuid[], ${payments.map((one) => one.provider)}::text[],
          ${payments.map((one) => one.shopId)}::uuid[], ${payments.map((one) => one.externalId)}::text[],
          ${payments.map((one) => one.currency)}::text[], ${payments.map((one) => one.amount)}::bigint[],
          ${payments.map((one) => one.grossAmount)}::bigint[], ${payments.map((one) => one.payerEmail)}::text[],
          ${pushed.map(({ row }) => (row.leadId ? asUuid(row.leadId) : null))}::uuid[],
          ${pushed.map(({ row }) => row.leadExternalId ?? null)}::text[])
          with ordinality as i (account_id, provider, shop_id, external_id, currency, amount, gross_amount, email, lead_id,
            lead_external_id, place)
        cross join lateral (select ${knownSale} as id) s
        left join lateral (
          select id, partner_id, 'lead-id' as matched_by, 1 as rank, created_at from leads
          where account_id = i.account_id and id = i.lead_id
          union all
          select id, partner_id, 'external-id', 2, created_at from leads
          where account_id = i.account_id and external_id = i.lead_external_id
          union all
          select id, partner_id, 'email', 3, created_at from leads c
          where account_id = i.account_id and email = i.email and status in ('new', 'qualified', 'won', 'lost')
            and (protected_until is null or protected_until > ${tx.now}
              or exists (select from sales b where b.account_id = c.account_id and b.lead_id = c.id))
          order by rank, created_at, id limit 1
        ) l on s.id is null
    ), locked as materialized (
      select ${leadFacts} from ${lockedLeads}
    )
    select f.sale_id, f.lead_id, f.partner_id as lead_partner_id, f.matched_by, l.*
    from found f left join locked l on l.id = f.lead_id order by f.place`
  const leads = rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const]))
  return { found: rows, leads: new Map(leads) }
}

async function prepare(list: List, pushed: PushedSale, found: Found): Promise<SaleToRecord | RecordedSale> {
  if (found.saleId) return { id: found.saleId, created: false, partnerId: null, sale: undefined }
  const { row, by, access } = pushed
  const account = list.accounts.get(access.account.id)!
  const saleDate = refuseFuture(account, list.tx.now, row.saleDate ?? null)
  const lead = await leadOf(list, account, pushed, found)
  return {
    ...paymentOf(pushed),
    account,
    leadId: lead.id,
    taxAmount: row.taxAmount ?? 0,
    currency: row.currency ?? null,
    saleDate,
    description: row.description ?? null,
    subscriptionId: row.subscriptionId ?? null,
    matchedBy: lead.matchedBy,
    evidence: triedFor(row, found.matchedBy),
    metadata: row.metadata ?? {},
    by,
  }
}

/** The rules that looked for the lead of a pushed sale before the one that knew it; all of them where none did. */
function triedFor({ leadId, leadExternalId, email }: NewPushedSale, foundBy: MatchRule | null): Tried[] {
  const carried = [
    { rule: 'lead-id', value: leadId },
    { rule: 'external-id', value: leadExternalId },
    { rule: 'email', value: email },
  ] as const
  const at = carried.findIndex(({ rule }) => rule === foundBy)
  const missed = at < 0 ? carried : carried.slice(0, at)
  return missed.map(({ rule, value }) => ({ rule, outcome: value ? 'unknown' : 'absent' }))
}

/** A lead that is known and has a partner; else a code beside it makes the lead, or gives it its first partner. */
async function leadOf(list: List, account: AccountFacts, pushed: PushedSale, before: Found) {
  const { tx } = list
  const { row, by, from } = pushed
  // an earlier row may have made it
  const found = !before.leadId && list.madeLeads ? (await findLeads(tx, [pushed])).found[0]! : before
  if (found.leadId && (found.leadPartnerId || !row.referralCode))
    return { id: found.leadId, matchedBy: found.matchedBy }
  if (row.leadId && !found.leadId) throw wrongField('leadId', 'unknown_lead_in_account')
  if (!row.referralCode && from !== 'incoming-webhook')
    throw wrongField(row.leadExternalId ? 'leadExternalId' : 'email', 'unknown_lead_without_code')
  if (found.leadId) {
    const partner = row.referralCode ? await findPartnerByCode(tx, account.id, row.referralCode) : undefined
    if (!partner?.earns && from === 'incoming-webhook') return { id: found.leadId, matchedBy: found.matchedBy }
    if (!partner?.earns) throw wrongField('referralCode', 'unknown_partner_in_account')
    await reassignLead(tx, by, account, found.leadId, { partnerId: partner.id, reason: 'Named by a pushed sale' })
    list.leads.delete(found.leadId)
    return { id: found.leadId, matchedBy: 'code' as const }
  }
  const made = await captureLead(tx, account, customerOf(pushed), list.counts)
  list.leads.delete(made.leadId)
  list.madeLeads = true
  return { id: made.leadId, matchedBy: row.referralCode ? ('code' as const) : ('email' as const) }
}

/** The sales as their accounts' owners read them; only those that were there before are read. */
async function present(tx: Transaction, pushed: PushedSale[], results: (RecordedSale | Error)[]) {
  const rows = results.filter((row): row is RecordedSale => !(row instanceof Error))
  const known = rows.filter(({ sale }) => !sale).map(({ id }) => id)
  const owners = wholeViewOf(pushed.map(({ access }) => access.account.id))
  const all = known.length > 0 ? await presentSales(tx, owners, known) : new Map<string, Sale>()
  for (const { id, sale } of rows) if (sale) all.set(id, sale)
  return all
}
