import type { MatchRule, SaleProvider } from '#contract/sales.ts'
import type { By } from '../../platform/by.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { Refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { captureLead, identityOf, type Submission } from '../leads/capture-lead.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { lockPeople } from '../leads/lock-people.ts'
import { type Counts, countedLast } from '../stats/count.ts'
import { reassignLead } from './attribute-sale.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'
import { knownSale, lockPayments } from './known-sales.ts'
import { recordSales, type SaleToRecord } from './record-sale.ts'
import { refuseFuture } from './sale-date.ts'
import { settlePaid } from './settle-paid.ts'
import { refusePast } from './totals.ts'

/** A sale of the past as a file tells it, in minor units of its currency. */
export type ImportedSale = {
  externalId?: string | null | undefined
  email?: string | null | undefined
  leadExternalId?: string | null | undefined
  partnerEmail?: string | null | undefined
  referralCode?: string | null | undefined
  amount: number
  taxAmount?: number | undefined
  currency?: string | undefined
  saleDate: string
  subscriptionId?: string | null | undefined
  description?: string | null | undefined
  /** What the partner earned of it; by today's rates where left out. */
  commission?: number | undefined
  /** What it earned was paid where it was kept, so that neither fraud rules nor the recurring limit look at it. */
  paid: boolean
  /** Nobody is owed it; false where the payouts are imported, too. */
  settled: boolean
}

/** `adjustmentIds` settled what was paid. */
export type Recorded = {
  saleId: string
  created: boolean
  /** Which way it came, of one that is known. */
  cameBy: SaleProvider
  amount: number
  currency: string
  adjustmentIds: string[]
}

/**
 * Records sales of a file, one statement a step however many. A row that names a partner is theirs: it makes the lead it
 * lacks, beside another partner's of the same e-mail; one that names nobody is kept unattributed. An Error refuses its
 * row alone; a known external id is answered with the first sale. What refuses them together is thrown.
 */
export async function importSales(
  tx: Transaction,
  by: By,
  account: AccountFacts,
  rows: ImportedSale[],
): Promise<(Recorded | Error)[]> {
  const accounts = new Map([[account.id, account]])
  const found = await findLocked(tx, account, rows)
  const rated = await ratesOf(tx, account, rows)
  const { result, past } = await countedLast(tx, async (counts) => {
    const making: Making = { tx, by, account, made: new Map(), counts }
    const prepared: (SaleToRecord | Known | Error)[] = []
    for (const [at, row] of rows.entries())
      prepared.push(await prepare(making, row, found[at]!, rated[at]!).catch(refusalOnly))
    const toRecord = prepared.filter((one): one is SaleToRecord => 'account' in one)
    return { prepared, toRecord, recorded: await recordSales(tx, toRecord, { accounts }, counts) }
  })
  refusePast(past)
  const { prepared, toRecord, recorded } = result
  const places = new Map(toRecord.map((sale, at) => [sale, recorded[at]!]))
  const fresh = prepared.map((one) => ('account' in one ? places.get(one)! : null))
  const settled = await settlePaid(
    tx,
    by,
    account,
    rows.flatMap(({ settled }, at) => (settled && fresh[at]?.created ? fresh[at].id : [])),
  )
  return prepared.map((one, at) => {
    if (one instanceof Error) return one
    const { amount, currency = account.defaultCurrency } = rows[at]!
    const { id, created } = fresh[at] ?? { id: (one as Known).saleId, created: false }
    const { cameBy = 'import' } = one as Known
    return { saleId: id, created, cameBy, amount, currency, adjustmentIds: (created && settled.get(id)) || [] }
  })
}

const refusalOnly = (error: unknown) => {
  if (error instanceof Refusal && error.code !== 'unavailable') return error
  throw error
}

type Known = { saleId: string; cameBy: SaleProvider }

type Found = {
  saleId: string | null
  cameBy: SaleProvider | null
  partnerId: string | null
  leadId: string | null
  leadPartnerId: string | null
  matchedBy: MatchRule | null
}

/** Whose the rows are, locked before any lead is made; who makes one locks the person first, then looks again. */
async function findLocked(tx: Transaction, account: AccountFacts, rows: ImportedSale[]): Promise<Found[]> {
  await lockPayments(
    tx,
    rows.map(({ externalId = null }) => ({ accountId: account.id, externalId })),
  )
  const found = await find(tx, account, rows)
  const leadIds = found.map(({ leadId }) => leadId).filter((id) => id !== null)
  const people = rows.flatMap((row, at) => {
    const { saleId, leadId } = found[at]!
    const customer = customerOf(row)
    return saleId || leadId || !customer ? [] : { ...identityOf(customer), accountId: account.id }
  })
  if (people.length === 0) {
    if (leadIds.length > 0) await lockLeads(tx, [account.id], [...new Set(leadIds)])
    return found
  }
  await lockPeople(tx, [account.id], people, leadIds)
  return find(tx, account, rows)
}

/** The lead that a row makes; null of one that names nobody. */
function customerOf({
  externalId,
  email,
  leadExternalId,
  partnerEmail,
  referralCode,
}: ImportedSale): Submission | null {
  if (!email && !leadExternalId && !partnerEmail && !referralCode) return null
  return {
    source: 'import',
    email: email ?? null,
    externalId: leadExternalId ?? null,
    // of a guest there is at least the order
    hasPaid: Boolean(externalId),
  }
}

/** Per row the sale that it is already; else its partner and its lead, of several the partner's own. */
const find = (tx: Transaction, account: AccountFacts, rows: ImportedSale[]) => tx.many<Found>`
  select s.id as sale_id, s.provider as came_by, p.id as partner_id, l.id as lead_id, l.partner_id as lead_partner_id, l.matched_by
  from unnest(${rows.map((row) => row.externalId ?? null)}::text[], ${rows.map((row) => row.partnerEmail ?? null)}::text[],
      ${rows.map((row) => row.referralCode ?? null)}::text[], ${rows.map((row) => row.leadExternalId ?? null)}::text[],
      ${rows.map((row) => row.email ?? null)}::text[],
      ${rows.map((row) => row.currency ?? account.defaultCurrency)}::text[], ${rows.map((row) => row.amount)}::bigint[],
      ${rows.map((row) => row.amount + (row.taxAmount ?? 0))}::bigint[])
      with ordinality as r (external_id, partner_email, code, lead_external_id, email, currency, amount, gross_amount, place)
    cross join lateral (select r.*, ${account.id}::uuid as account_id, 'import' as provider, null::uuid as shop_id) i
    left join lateral (
      select id, provider from sales where account_id = ${account.id} and id = ${knownSale}
    ) s on true
    left join lateral (
      select id from partners where account_id = ${account.id} and email = i.partner_email
      union all
      select partner_id from referral_codes
      where account_id = ${account.id} and code = i.code and i.partner_email is null
      limit 1
    ) p on true
    left join lateral (
      select id, partner_id, 'external-id' as matched_by, 1 as rank, 0 as others, created_at from leads
      where account_id = ${account.id} and external_id = i.lead_external_id
      union all
      select id, partner_id, 'email', 2, (partner_id is distinct from p.id)::integer, created_at from leads c
      where account_id = ${account.id} and email = i.email
        and (p.id is null or c.partner_id is null or c.partner_id = p.id)
        and (status in ('new', 'qualified', 'won', 'lost') or (status = 'duplicate' and partner_id = p.id))
        and (protected_until is null or protected_until > ${tx.now} or exists (select from sales b where b.account_id = c.account_id and b.lead_id = c.id))
      order by rank, others, created_at limit 1
    ) l on s.id is null
  order by i.place`

/** The account's amount of each; null while no rate is known. */
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

/** `made`: the leads of this list by whom they are of. */
type Making = { tx: Transaction; by: By; account: AccountFacts; made: Map<string, string>; counts: Counts }

async function prepare(
  making: Making,
  row: ImportedSale,
  found: Found,
  accountAmount: number | null,
): Promise<SaleToRecord | Known> {
  if (found.saleId) return { saleId: found.saleId, cameBy: found.cameBy! }
  const { account, by, tx } = making
  const { amount, taxAmount = 0, commission } = row
  if (!found.partnerId && row.partnerEmail) throw wrongField('partnerEmail', 'unknown_partner_email')
  if (!found.partnerId && row.referralCode) throw wrongField('referralCode', 'unknown_referral_code')
  if (commission !== undefined && commission > amount) throw wrongField('commission', 'commission_above_amount')
  const saleDate = refuseFuture(account, tx.now, row.saleDate)
  // what it earned is not known without a rate, so neither is what was paid
  if (row.settled && accountAmount === null) throw wrongField('currency', 'rate_unknown_that_day')
  const lead = await leadOf(making, row, found)
  return {
    account,
    leadId: lead?.id ?? null,
    provider: 'import',
    externalId: row.externalId ?? null,
    payerEmail: row.email ?? null,
    amount,
    taxAmount,
    grossAmount: amount + taxAmount,
    currency: row.currency ?? null,
    saleDate,
    description: row.description ?? null,
    subscriptionId: row.subscriptionId ?? null,
    matchedBy: lead?.matchedBy ?? null,
    givenCommission: commission ?? null,
    paidBefore: row.paid,
    by,
  }
}

async function leadOf(
  { tx, by, account, made, counts }: Making,
  row: ImportedSale,
  { leadId, partnerId, leadPartnerId, matchedBy }: Found,
): Promise<{ id: string; matchedBy: MatchRule } | null> {
  const customer = customerOf(row)
  if (!customer) return null
  if (leadId && leadPartnerId && partnerId && leadPartnerId !== partnerId)
    throw wrongField('partnerEmail', 'customer_of_another_partner')
  const rule = partnerId ? (row.partnerEmail ? 'manual' : 'code') : null
  // a guest is nobody's lead but their own
  const key = JSON.stringify([partnerId, customer.externalId ?? customer.email ?? row])
  const known = leadId ?? made.get(key)
  if (known) {
    if (leadId && partnerId && !leadPartnerId && !made.has(key)) {
      await reassignLead(tx, by, account, leadId, { partnerId, reason: 'Named by an imported sale' })
      made.set(key, leadId)
    }
    return { id: known, matchedBy: matchedBy ?? rule ?? 'email' }
  }
  const attribution = partnerId && {
    partnerId,
    blueprintId: null,
    clickId: null,
    matchedBy: rule! as 'manual' | 'code',
  }
  const submission = { ...customer, by, ...(attribution && { attribution }) }
  const captured = await captureLead(tx, account, submission, counts)
  if (!captured.created && partnerId) await refuseAnothers(tx, captured.leadId, partnerId)
  made.set(key, captured.leadId)
  return { id: captured.leadId, matchedBy: rule ?? 'email' }
}

async function refuseAnothers(tx: Transaction, leadId: string, partnerId: string) {
  const lead = await tx.one<{ partnerId: string | null }>`select partner_id from leads where id = ${leadId}`
  if (lead.partnerId !== partnerId) throw wrongField('partnerEmail', 'customer_of_another_partner')
}
