import type { MatchRule, SaleProvider } from '#contract/sales.ts'
import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { handleTogether, refusalOfRow } from '../../platform/http/rows.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type Settlement, settlePaid } from '../commissions/settle-paid.ts'
import type { Changed } from '../leads/capture-lead.ts'
import { captureLead, type LeadToCapture, toIdentity } from '../leads/capture-lead.ts'
import { lockLeads, lockPeople } from '../leads/lead-facts.ts'
import { decideStated, statedAs, type TriedRule } from '../leads/match-rules.ts'
import { moveLead } from '../leads/move-lead.ts'
import { customersFirst, foundByEmail, hasSales, inTime, isProtectedSql, paidOn } from '../leads/payment-time.ts'
import { pausedIn } from '../partner-directory/find-partner.ts'
import { deferCounts } from '../stats/count.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'
import { keyOfDescribed, keyOfOrder, keyOfRow, salesByKey, saveImportKeys } from './imported-keys.ts'
import { knownSale, lockPayments } from './known-sales.ts'
import { recordSales, type SaleToRecord } from './record-sale.ts'
import { refuseFuture } from './sale-date.ts'

/** A past sale as given in a file, in minor units of its currency. */
export type ImportedSale = {
  externalId?: string | null | undefined
  orderId?: string | null | undefined
  email?: string | null | undefined
  leadExternalId?: string | null | undefined
  partnerEmail?: string | null | undefined
  referralCode?: string | null | undefined
  /** Net of tax and shipping. */
  amount: number
  taxAmount: number
  /** The customer's payment, including tax and shipping. */
  grossAmount: number
  currency?: string | undefined
  saleDate: string
  subscriptionId?: string | null | undefined
  description?: string | null | undefined
  /** The partner's commission; omitted: by today's rates. */
  commission?: number | undefined
  /** The previous program paid its commission, so neither fraud rules nor the recurring limit apply. */
  paid: boolean
  /** It is no longer owed; false if the payouts are imported, too. */
  settled: boolean
  /** Number among otherwise identical rows, and among those that differ at most in their descriptions. */
  nth: number
  nthPlain: number
}

/** A lead created by a row, or an existing one with the changes by it. */
export type ImportedLead = { id: string; changed: Changed | null }

/**
 * `byId`: found by its external ID; `cameBy`: its source. `adjustments` settled the paid commission. `alike`: why it
 * may duplicate an existing sale. `owed`: it is known, and its commission still owed, though the file says it was paid.
 */
export type ImportedRecord = {
  saleId: string
  created: boolean
  byId: boolean
  cameBy: SaleProvider
  amount: number
  currency: string
  adjustments: Settlement[]
  leadChange: ImportedLead | null
  alike: string | null
  owed: boolean
  /** It is known as a sale of another partner than the row names. */
  ofAnother: boolean
}

/**
 * Records sales of a file, one statement per step, however many. A row that names a partner belongs to them: it creates
 * the missing lead, beside another partner's with the same e-mail; one without a partner stays unattributed. An Error
 * refuses only its row; a known external id returns the first sale, as does a row without one that equals an imported
 * sale. An error that refuses all rows is thrown.
 */
export async function importSales(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  rows: ImportedSale[],
): Promise<(ImportedRecord | Error)[]> {
  const accounts = new Map([[account.id, account]])
  const found = await knownToo(tx, account, rows, await findLocked(tx, account, rows))
  const alike = await alikeTo(tx, account.id, rows)
  const rated = await ratesOf(tx, account, rows)
  const making: Making = {
    tx,
    by,
    account,
    made: new Map(),
    given: new Map(),
    changed: new Map(),
    buyers: new Set(),
    customers: new Map(),
  }
  const prepareAll = async () => {
    const prepared: (SaleToRecord | Known | Error)[] = []
    for (const [at, row] of rows.entries())
      prepared.push(await prepare(making, row, found[at]!, rated[at]!).catch(refusalOfRow))
    return prepared
  }
  const results = await deferCounts(tx, prepareAll, (prepared) =>
    handleTogether(prepared, isToRecord, (sales) => recordSales(tx, sales, { accounts })),
  )
  const fresh = results.map((one) => ('created' in one ? one : null))
  const settled = await settlePaid(tx, by, account, {
    saleIds: rows.flatMap(({ settled }, at) => (settled && fresh[at]?.created ? fresh[at].id : [])),
  })
  await saveImportKeys(
    tx,
    account.id,
    rows.flatMap((row, at) => {
      const sale = fresh[at]
      return sale?.created ? keysOf(row, found[at]!, account).map((key) => ({ key, saleId: sale.id })) : []
    }),
  )
  const owed = await owedOf(
    tx,
    account.id,
    results.flatMap((one, at) => (rows[at]!.settled && 'saleId' in one ? one.saleId : [])),
  )
  return results.map((one, at) => {
    if (one instanceof Error) return one
    const { amount, currency = account.defaultCurrency } = rows[at]!
    const { id, created } = fresh[at] ?? { id: (one as Known).saleId, created: false }
    const { cameBy = 'import' } = one as Known
    return {
      saleId: id,
      created,
      byId: rows[at]!.externalId != null,
      cameBy,
      amount,
      currency,
      adjustments: (created && settled.get(id)) || [],
      leadChange: (created && making.changed.get(rows[at]!)) || null,
      alike: created ? alike[at]! : null,
      owed: !created && owed.has(id),
      ofAnother: !created && found[at]!.ofAnother,
    }
  })
}

/** Returns which of these sales have commission that was neither settled as paid elsewhere nor put into a payout here. */
async function owedOf(tx: Transaction, accountId: string, saleIds: string[]): Promise<Set<string>> {
  if (saleIds.length === 0) return new Set()
  const rows = await tx.many<{ saleId: string }>`
    select e.sale_id from commission_entries e
    where e.account_id = ${accountId} and e.sale_id = any(${saleIds}::uuid[])
      and not exists (select from payout_entries b where b.account_id = ${accountId} and b.entry_id = e.id and b.live)
    group by e.sale_id having sum(e.amount) + coalesce((
      select sum(x.amount) from commission_entries x
      where x.account_id = ${accountId} and x.settles_sale_id = e.sale_id), 0) > 0`
  return new Set(rows.map(({ saleId }) => saleId))
}

type ByPartner = Pick<RowLookup, 'partnerId'>

/** Returns the values that identify a row without an ID; `plain`: without its description, which another file may lack. */
function factsOfRow(row: ImportedSale, { partnerId }: ByPartner, account: AccountFacts, { plain = false } = {}) {
  const last = plain ? [null, row.nthPlain] : [row.description ?? null, row.nth]
  return [
    ...[partnerId, row.orderId ?? null, row.email ?? null, row.leadExternalId ?? null, row.amount],
    ...[row.currency ?? account.defaultCurrency, row.saleDate, ...last],
  ]
}

/** Returns keys that identify a row without an ID, and its order. */
const keysOf = (row: ImportedSale, found: ByPartner, account: AccountFacts): string[] => [
  ...(row.externalId ? [] : [keyOfRow(factsOfRow(row, found, account))]),
  ...(row.externalId || row.description == null
    ? []
    : [keyOfDescribed(factsOfRow(row, found, account, { plain: true }))]),
  ...(row.orderId ? [keyOfOrder(row.orderId)] : []),
]

/** Returns keys of sales that a row without an ID may repeat: with the same description, or without one in either. */
function keysRepeated(row: ImportedSale, found: ByPartner, account: AccountFacts): string[] {
  if (row.externalId) return []
  const plain = factsOfRow(row, found, account, { plain: true })
  const other = row.description == null ? keyOfDescribed(plain) : keyOfRow(plain)
  return [keyOfRow(factsOfRow(row, found, account)), other]
}

/** Adds the known sales of rows without an ID. */
async function knownToo(tx: Transaction, account: AccountFacts, rows: ImportedSale[], found: RowLookup[]) {
  const keys = rows.map((row, at) => keysRepeated(row, found[at]!, account))
  const known = await salesByKey(tx, account.id, keys.flat())
  return found.map((one, at): RowLookup => {
    const [saleId] = keys[at]!.flatMap((key) => known.get(key) ?? [])
    return saleId && !one.saleId ? { ...one, saleId, cameBy: 'import' } : one
  })
}

type Known = { saleId: string; cameBy: SaleProvider }
const isToRecord = (row: SaleToRecord | Known | Error): row is SaleToRecord => 'account' in row

type RowLookup = {
  saleId: string | null
  /** In what an imported sale with the row's ID differs from it, unless it was corrected since. */
  differs: string | null
  cameBy: SaleProvider | null
  ofAnother: boolean
  partnerId: string | null
  leadId: string | null
  leadPartnerId: string | null
  hasBought: boolean
  isRejected: boolean
  matchedBy: MatchRule | null
  /** The partner whom the row names gets new credit, also on that day. */
  earns: boolean
  /** The row names the partner, or the file has an earlier sale of the customer as theirs, whichever gave them the lead. */
  named: boolean
  /** The payer's identity found only a lead that was referred after the sale. */
  late: boolean
}

/**
 * Finds leads and partners of the rows, locked before any lead is created; a row that creates one locks the person
 * first, then searches again.
 */
async function findLocked(tx: Transaction, account: AccountFacts, rows: ImportedSale[]): Promise<RowLookup[]> {
  await lockPayments(
    tx,
    rows.map(({ externalId = null }) => ({ accountId: account.id, externalId })),
  )
  const found = await find(tx, account, rows)
  const leadIds = found.map(({ leadId }) => leadId).filter((id) => id !== null)
  const people = rows.flatMap((row, at) => {
    const { saleId, leadId } = found[at]!
    const customer = customerOf(row)
    return saleId || leadId || !customer ? [] : { ...toIdentity(customer), accountId: account.id }
  })
  if (people.length === 0) {
    if (leadIds.length > 0) await lockLeads(tx, [account.id], [...new Set(leadIds)])
    return found
  }
  await lockPeople(tx, [account.id], people, leadIds)
  return find(tx, account, rows)
}

/** Returns the lead that a row creates; null if it names no one. */
function customerOf({ email, leadExternalId, partnerEmail, referralCode }: ImportedSale): LeadToCapture | null {
  if (!email && !leadExternalId && !partnerEmail && !referralCode) return null
  return {
    source: 'import',
    email: email ?? null,
    externalId: leadExternalId ?? null,
    // a guest has at least paid
    hasPaid: true,
  }
}

/**
 * Finds per row the existing sale; else its partner and its lead, preferring the partner's own. If orders of returning
 * customers go to their latest click, a customer who has bought comes before any other lead, whichever partner has them.
 */
function find(tx: Transaction, account: AccountFacts, rows: ImportedSale[]) {
  const accountId = sql`${account.id}`
  const isInTime = inTime(sql`i.referred_by`)
  const isReturning = sql`(p.earns is true and ${account.returningCustomers === 'latest-click'})`
  const isTheirs = sql`exists (
    select from (select * from sales where account_id = ${accountId} and lead_id = t.id offset 0) o
    where o.partner_id = t.partner_id and o.provider = 'import' and o.status <> 'void' and o.sale_date <= i.sale_date)`
  return tx.many<RowLookup>`
  select s.id as sale_id, s.differs, s.provider as came_by, coalesce(s.partner_id <> p.id, false) as of_another,
    p.id as partner_id, l.matched_by,
    p.id is not null or coalesce(l.in_time and not l.referred, false) as named,
    l.id is not null and not l.in_time as late, case when l.in_time then l.id end as lead_id,
    case when l.in_time then l.partner_id end as lead_partner_id, l.has_sales is true as has_bought, l.rejected is true as is_rejected, p.earns is true as earns
  from unnest(${rows.map((row) => row.externalId ?? null)}::text[], ${rows.map((row) => row.partnerEmail ?? null)}::text[],
      ${rows.map((row) => row.referralCode ?? null)}::text[], ${rows.map((row) => row.leadExternalId ?? null)}::text[],
      ${rows.map((row) => row.email ?? null)}::text[],
      ${rows.map((row) => row.currency ?? account.defaultCurrency)}::text[], ${rows.map((row) => row.amount)}::bigint[],
      ${rows.map((row) => row.grossAmount)}::bigint[],
      ${rows.map(({ saleDate }) => saleDate)}::date[],
      ${rows.map(({ saleDate }) => paidOn(saleDate, account.timeZone, tx.now).referredBy)}::timestamptz[],
      ${rows.map(({ saleDate }) => paidOn(saleDate, account.timeZone, tx.now).at)}::timestamptz[])
      with ordinality as r (external_id, partner_email, code, lead_external_id, email, currency, amount, gross_amount,
        sale_date, referred_by, paid_at, place)
    cross join lateral (select r.*, 'import' as provider, null::uuid as shop_id) i
    left join lateral (
      -- 'offset 0': one index search each, even of hundreds of rows in a large account
      select o.id, o.provider, o.partner_id,
        case when o.provider <> 'import' or o.status = 'void' or o.told_by_shop_id is not null
            or exists (select from sale_corrections c
              where c.account_id = ${accountId} and c.sale_id = o.id and c.amount_before <> o.amount) then null
          when o.amount <> i.amount then 'amount' when o.currency <> i.currency then 'currency'
          when o.sale_date <> i.sale_date then 'day' when o.payer_email <> i.email then 'customer' end as differs
      from sales o where o.account_id = ${accountId} and o.id = ${knownSale(accountId)} offset 0
    ) s on true
    left join lateral (
      select p.id, p.state = 'active' and not ${pausedIn(sql`i.paid_at`, sql`i.paid_at`)} as earns from partners p
      where p.account_id = ${accountId} and p.id = (
        select id from partners where account_id = ${accountId} and email = i.partner_email
        union all
        select partner_id from referral_codes
        where account_id = ${accountId} and code = i.code and i.partner_email is null
        limit 1)
    ) p on true
    left join lateral (
      -- a partner whom the row names has it whenever they referred
      select t.id, t.partner_id, 'external-id' as matched_by, 1 as rank, 0 as others, t.created_at,
        p.id is not null or ${isInTime} or ${isTheirs} as in_time, ${isInTime} as referred, false as rejected,
        t.status <> 'rejected' and ${hasSales(accountId)} as has_sales
      from leads t where t.account_id = ${accountId} and t.external_id = i.lead_external_id
      union all
      select t.id, t.partner_id, 'email', 2, (t.partner_id is distinct from p.id)::integer
          + case when ${isReturning} and not ${hasSales(accountId)} then 2 else 0 end, t.created_at,
        p.id is not null or ${isInTime} or ${isTheirs}, ${isInTime}, t.status = 'rejected', ${hasSales(accountId)}
      from leads t
      where t.account_id = ${accountId} and t.email = i.email
        and (p.id is null or (t.partner_id is null and t.status <> 'rejected') or t.partner_id = p.id
          or (${isReturning} and t.status <> 'rejected' and ${hasSales(accountId)}))
        and (${foundByEmail(accountId, tx.now)} or (t.status = 'duplicate' and t.partner_id = p.id
          and (${isProtectedSql(tx.now)} or ${hasSales(accountId)})))
      order by in_time desc, rank, rejected, others, ${customersFirst} limit 1
    ) l on s.id is null
  order by i.place`
}

/** Returns per row why it may duplicate a sale from another source: one of its customer, amount and date. */
async function alikeTo(tx: Transaction, accountId: string, rows: ImportedSale[]): Promise<(string | null)[]> {
  const emails = unique(rows.map(({ email }) => email))
  const externalIds = unique(rows.map(({ leadExternalId }) => leadExternalId))
  const leads = await tx.many<Lead>`
    select id, email, external_id from leads where account_id = ${accountId} and email = any(${emails}::text[])
    union
    select id, email, external_id from leads where account_id = ${accountId} and external_id = any(${externalIds}::text[])`
  const equal = await equalSales(tx, accountId, rows, leads)
  const leadOf = new Map(leads.map((lead) => [lead.id, lead]))
  const firstOf = new Map<string, EqualSale>()
  for (const sale of equal.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const lead = leadOf.get(sale.leadId ?? '')
    for (const email of [sale.payerEmail, lead?.email]) add({ ...sale, email })
    for (const leadExternalId of [sale.customerId, lead?.externalId]) add({ ...sale, leadExternalId })
    function add(known: Payment) {
      for (const key of keysOfPayment(known)) if (!firstOf.has(key)) firstOf.set(key, sale)
    }
  }
  return rows.map((row) => {
    const [first] = keysOfPayment(row)
      .flatMap((key) => firstOf.get(key) ?? [])
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    if (!first) return null
    const { externalId, provider } = first
    return `A sale of the same customer, amount and day is already here${externalId ? `, with the ID ${externalId}` : ''} (${provider}).`
  })
}

type Lead = { id: string; email: string | null; externalId: string | null }

const idsOf = (some: { id: string }[]) => some.map(({ id }) => id)

/** Returns the first sale of each customer, amount and day of these rows. */
async function equalSales(tx: Transaction, accountId: string, rows: ImportedSale[], leads: Lead[]) {
  const days = unique(rows.map(({ saleDate }) => saleDate))
  const byEmail = Map.groupBy(leads, ({ email }) => email)
  const byExternalId = Map.groupBy(leads, ({ externalId }) => externalId)
  const leadsOf = ({ email, leadExternalId }: ImportedSale) => [
    ...(email == null ? [] : (byEmail.get(email) ?? [])),
    ...(leadExternalId == null ? [] : (byExternalId.get(leadExternalId) ?? [])),
  ]
  const ofLeads = rows.flatMap((row) => leadsOf(row).map(({ id }) => ({ ...row, id })))
  const ofCustomers = rows.flatMap(({ leadExternalId: id, ...row }) => (id == null ? [] : { ...row, id }))
  const ofPayers = rows.flatMap(({ email: id, ...row }) => (id == null ? [] : { ...row, id }))
  // 'offset 0': each customer's few sales by their index, not all of an account's in these days
  const theirs = (keys: string[], type: Sql, isTheirs: Sql) => sql`
    (select distinct key from unnest(${keys}::${type}[]) as k (key)) k
    cross join lateral (select * from sales where account_id = ${accountId} and ${isTheirs} offset 0) s`
  const firstOf = (some: (ImportedSale & { id: string })[], column: Sql, type: Sql, from: Sql) => tx.many<EqualSale>`
    select distinct on (s.amount, s.sale_date, s.${column})
      s.id, s.provider, s.external_id, s.amount, s.sale_date, s.payer_email, s.customer_id, s.lead_id
    from ${from} join unnest(${some.map(({ id }) => id)}::${type}[], ${some.map(({ amount }) => amount)}::bigint[],
        ${some.map(({ saleDate }) => saleDate)}::date[]) as n (key, amount, sale_date)
      on s.${column} = n.key and s.amount = n.amount and s.sale_date = n.sale_date
    where s.status <> 'void' and not s.is_test
    order by s.amount, s.sale_date, s.${column}, s.id`
  const [uuid, text] = [rawSql('uuid'), rawSql('text')]
  const found = await Promise.all([
    ofLeads.length > 0 && firstOf(ofLeads, rawSql('lead_id'), uuid, theirs(idsOf(ofLeads), uuid, sql`lead_id = k.key`)),
    ofCustomers.length > 0 &&
      firstOf(
        ofCustomers,
        rawSql('customer_id'),
        text,
        theirs(idsOf(ofCustomers), text, sql`lower(customer_id) = lower(k.key) and customer_id = k.key`),
      ),
    ofPayers.length > 0 &&
      firstOf(
        ofPayers,
        rawSql('payer_email'),
        text,
        sql`(select * from sales where account_id = ${accountId} and sale_date = any(${days}::date[])) s`,
      ),
  ])
  return found.flatMap((some) => some || [])
}

type EqualSale = {
  id: string
  provider: SaleProvider
  externalId: string | null
  amount: number
  saleDate: string
  payerEmail: string | null
  customerId: string | null
  leadId: string | null
}
type Payment = Pick<ImportedSale, 'amount' | 'saleDate' | 'email' | 'leadExternalId'>

const unique = <T>(values: (T | null | undefined)[]) => [...new Set(values.filter((value) => value != null))]

/** Amount and date with each name of the customer. */
const keysOfPayment = ({ amount, saleDate, email, leadExternalId }: Payment) => [
  ...(email == null ? [] : [`${amount} ${saleDate} email ${email}`]),
  ...(leadExternalId == null ? [] : [`${amount} ${saleDate} id ${leadExternalId}`]),
]

/** Returns each row's amount in the account's currency; null without a rate. */
async function ratesOf(tx: Transaction, account: AccountFacts, rows: ImportedSale[]) {
  const accountCurrency = account.defaultCurrency
  const wanted = rows.map(({ currency = accountCurrency, saleDate }) => ({
    accountId: account.id,
    currency,
    accountCurrency,
    saleDate,
  }))
  const rates = await ratesFor(tx, wanted)
  return rows.map(({ amount, currency = accountCurrency }, at) => {
    const rate = rates[at]
    return rate ? inAccountCurrency(amount, currency, accountCurrency, rate) : null
  })
}

/**
 * `made`: the leads created by this list, by identity; `given`: the partners assigned to known ones; `changed`: a row's
 * changes of its lead. `buyers`: the leads of the rows so far; `customers`: those that aren't rejected, by each of their names.
 */
type Making = {
  tx: Transaction
  by: Author
  account: AccountFacts
  made: Map<string, string>
  given: Map<string, string>
  changed: Map<ImportedSale, ImportedLead>
  buyers: Set<string>
  customers: Map<string, { id: string; partnerId: string | null }>
}

async function prepare(
  making: Making,
  row: ImportedSale,
  found: RowLookup,
  accountAmount: number | null,
): Promise<SaleToRecord | Known> {
  if (found.differs) throw wrongField('externalId', 'import_id_differs', { what: found.differs })
  if (found.saleId) return { saleId: found.saleId, cameBy: found.cameBy! }
  const { account, by, tx } = making
  const { amount, taxAmount, grossAmount, commission } = row
  if (!found.partnerId && row.partnerEmail) throw wrongField('partnerEmail', 'unknown_partner_email')
  if (!found.partnerId && row.referralCode) throw wrongField('referralCode', 'unknown_referral_code')
  if (commission !== undefined && commission > amount) throw wrongField('commission', 'commission_above_amount')
  const saleDate = refuseFuture(account, tx.now, row.saleDate)
  // without a rate the earned amount is unknown, and so is the paid one
  if (row.settled && accountAmount === null) throw wrongField('currency', 'rate_unknown_that_day')
  const lead = returningFor(making, row, found) ?? (await leadOf(making, row, found))
  if (lead) making.buyers.add(lead.id)
  return {
    account,
    leadId: lead?.id ?? null,
    provider: 'import',
    externalId: row.externalId ?? null,
    payerEmail: row.email ?? null,
    amount,
    taxAmount,
    grossAmount,
    currency: row.currency ?? null,
    saleDate,
    description: row.description ?? null,
    subscriptionId: row.subscriptionId ?? null,
    matchedBy: lead?.matchedBy ?? null,
    creditTo: found.partnerId ? statedAs(found.partnerId) : undefined,
    evidence: found.late && !lead ? [lateBy(found)] : [],
    named: found.named,
    givenCommission: commission ?? null,
    paidBefore: row.paid,
    by,
  }
}

const lateBy = ({ matchedBy }: RowLookup): TriedRule => ({ rule: matchedBy!, outcome: 'referred-later' })

/**
 * Returns another partner's customer, who stays theirs, if each order goes to whom it names: one who has bought, also by an
 * earlier row.
 */
function returningFor({ account, given, buyers, customers }: Making, row: ImportedSale, found: RowLookup) {
  const { partnerId, leadId, leadPartnerId, matchedBy } = found
  if (!partnerId || !found.earns || found.late) return null
  const known = leadId ? { id: leadId, partnerId: leadPartnerId ?? given.get(leadId) ?? null } : undefined
  const hasBought = found.hasBought || buyers.has(leadId ?? '')
  const byId = matchedBy === 'external-id' ? known : customers.get(`id ${row.leadExternalId}`)
  const customer = byId ?? (hasBought ? known : customers.get(`email ${row.email}`))
  if (!customer) return null
  // one of an earlier row has bought by it
  const lead = { partnerId: customer.partnerId, hasSales: hasBought || customer !== known }
  return decideStated(account, lead, partnerId) === 'sale-alone'
    ? { id: customer.id, matchedBy: ruleNaming(row) }
    : null
}

const ruleNaming = ({ partnerEmail }: ImportedSale) => (partnerEmail ? ('manual' as const) : ('code' as const))

async function leadOf(
  { tx, by, account, made, given, changed, customers }: Making,
  row: ImportedSale,
  found: RowLookup,
): Promise<{ id: string; matchedBy: MatchRule } | null> {
  const customer = customerOf(row)
  if (!customer || found.late) return null
  const { partnerId, matchedBy } = found
  // an earlier row of the list may have assigned the lead to its partner
  const leadPartnerId = found.leadPartnerId ?? given.get(found.leadId ?? '') ?? null
  const hasSales = found.hasBought
  const effect = partnerId ? decideStated(account, { partnerId: leadPartnerId, hasSales }, partnerId) : 'theirs'
  const isAnothers = effect === 'of-another' || effect === 'sale-alone'
  if (isAnothers && (found.leadPartnerId || matchedBy === 'external-id'))
    throw wrongField('partnerEmail', 'customer_of_another_partner')
  const leadId = isAnothers ? null : found.leadId
  const rule = partnerId ? ruleNaming(row) : null
  // a guest's lead is never shared
  const key = JSON.stringify([partnerId, customer.externalId ?? customer.email ?? row])
  const known = leadId ?? made.get(key)
  if (known) {
    if (leadId && partnerId && effect === 'moves' && !made.has(key)) {
      const named = { at: paidOn(row.saleDate, account.timeZone, tx.now).at, matchedBy: rule! }
      await moveLead(tx, by, account, leadId, { partnerId, reason: 'Named by an imported sale', named })
      made.set(key, leadId)
      given.set(leadId, partnerId)
      changed.set(row, { id: leadId, changed: { partnerId: { old: null, new: partnerId } } })
    }
    if (!found.isRejected) addCustomer(customers, row, { id: known, partnerId: leadPartnerId ?? partnerId })
    return { id: known, matchedBy: matchedBy ?? rule ?? 'email' }
  }
  const attribution = partnerId && {
    partnerId,
    blueprintId: null,
    clickId: null,
    matchedBy: rule!,
  }
  const { at } = paidOn(row.saleDate, account.timeZone, tx.now)
  const submission = { ...customer, by, at, ...(attribution && { attribution }) }
  const captured = await captureLead(tx, account, submission)
  if (!captured.created && partnerId) await refuseAnothers(tx, account.id, captured.leadId, partnerId)
  made.set(key, captured.leadId)
  addCustomer(customers, row, { id: captured.leadId, partnerId })
  if (captured.created || captured.changed) changed.set(row, { id: captured.leadId, changed: captured.changed ?? null })
  return { id: captured.leadId, matchedBy: rule ?? 'email' }
}

/** Adds the lead of a row by its names, unless an earlier row has them. */
function addCustomer(
  customers: Making['customers'],
  row: ImportedSale,
  lead: { id: string; partnerId: string | null },
) {
  const names = [
    ...(row.leadExternalId ? [`id ${row.leadExternalId}`] : []),
    ...(row.email ? [`email ${row.email}`] : []),
  ]
  for (const name of names) if (!customers.has(name)) customers.set(name, lead)
}

async function refuseAnothers(tx: Transaction, accountId: string, leadId: string, partnerId: string) {
  const lead = await tx.one<{ partnerId: string | null }>`
    select partner_id from leads where account_id = ${accountId} and id = ${leadId}`
  if (lead.partnerId !== partnerId) throw wrongField('partnerEmail', 'customer_of_another_partner')
}
