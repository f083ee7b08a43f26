import type { MatchRule, SaleProvider } from '#contract/sales.ts'
import { actorOf, type By } from '../audit.ts'
import { type EarningSale, planEarnings } from '../commissions/earnings.ts'
import { entry, type NewEntry, writeEntries } from '../commissions/entries.ts'
import { newId } from '../database/ids.ts'
import { type Database, type Transaction, transaction } from '../database/pool.ts'
import type { AccountFacts } from '../http/access.ts'
import { announceAll } from '../jobs/outbox.ts'
import { type LeadFacts, lockLeads, markWon } from '../leads/lead-facts.ts'
import type { Services } from '../services.ts'
import { count } from '../stats/count.ts'
import { inAccountCurrency, rateFor } from './exchange-rates.ts'
import { figuresOf } from './figures.ts'
import { fraudHolds, type Hold } from './fraud.ts'

/** A payment as whoever reports it knows it. Amounts in minor units of `currency`. */
export type SaleToRecord = {
  account: AccountFacts
  /** Null: kept unattributed. */
  leadId: string | null
  provider: SaleProvider
  /** Unique per account and provider: the same again is the same sale. */
  externalId: string | null
  connectionId?: string | null
  customerId?: string | null
  payerEmail?: string | null
  /** Net of tax and shipping. */
  amount: number
  taxAmount: number
  /** What the customer paid. */
  grossAmount: number
  currency: string
  /** In the account's time zone. */
  saleDate: string
  description?: string | null
  subscriptionId?: string | null
  matchedBy: MatchRule | null
  metadata?: Record<string, string>
  by: By
}

export type RecordedSale = { id: string; created: boolean }

type Prepared = SaleToRecord & {
  id: string
  lead: LeadFacts | null
  accountAmount: number | null
  fxRate: number | null
  fxDate: string | null
  hold: Hold | null
}

/** Records one sale: `recordSales` of one. */
export const recordSale = (db: Database | Transaction, services: Services, sale: SaleToRecord) =>
  transaction(db, async (tx) => (await recordSales(tx, services, [sale]))[0]!)

/**
 * Records sales and books what they earn, all or nothing, one statement per step however many they are
 * (docs/decisions/0002-the-money-transaction.md). A known external id is answered with the first sale.
 * In the order given; the caller has checked that each lead is the account's.
 */
export async function recordSales(tx: Transaction, services: Services, sales: SaleToRecord[]): Promise<RecordedSale[]> {
  const leadIds = [...new Set(sales.map((sale) => sale.leadId).filter((id) => id !== null))]
  const leads = new Map(leadIds.length ? (await lockLeads(tx, leadIds)).map((lead) => [lead.id, lead]) : [])
  const prepared = await prepare(tx, sales, leads)
  const inserted = await insertSales(tx, eachOnce(prepared))
  const fresh = prepared.filter((sale) => inserted.has(sale.id))
  await book(tx, fresh)
  const won = fresh
    .filter((sale) => sale.lead && sale.amount > 0 && sale.lead.status !== 'won')
    .map((sale) => sale.lead!.id)
  if (won.length) await markWon(tx, services, [...new Set(won)], fresh[0]!.by)
  await announceAll(
    tx,
    fresh.map(({ id, account }) => ({ accountId: account.id, type: 'sale.created', data: { saleId: id } })),
  )
  const known =
    fresh.length === prepared.length
      ? new Map()
      : await knownSales(
          tx,
          prepared.filter((sale) => !inserted.has(sale.id)),
        )
  return prepared.map((sale) =>
    inserted.has(sale.id) ? { id: sale.id, created: true } : { id: known.get(keyOf(sale)), created: false },
  )
}

/** Without those that name a payment again. */
function eachOnce(sales: Prepared[]): Prepared[] {
  const keys = new Set<string>()
  return sales.filter((sale) => {
    const key = sale.externalId === null ? sale.id : keyOf(sale)
    return !keys.has(key) && keys.add(key)
  })
}

async function prepare(tx: Transaction, sales: SaleToRecord[], leads: Map<string, LeadFacts>): Promise<Prepared[]> {
  const holds = await fraudHolds(tx, sales, leads)
  const prepared: Prepared[] = []
  for (const [index, sale] of sales.entries()) {
    const { account, currency, amount, saleDate } = sale
    const rate = await rateFor(tx, account.id, currency, account.defaultCurrency, saleDate)
    const accountAmount = rate ? inAccountCurrency(amount, currency, account.defaultCurrency, rate) : null
    prepared.push({
      ...sale,
      id: newId(),
      lead: (sale.leadId && leads.get(sale.leadId)) || null,
      accountAmount,
      fxRate: accountAmount === null ? null : rate!.rate,
      fxDate: accountAmount === null ? null : rate!.date,
      hold: holds[index] ?? null,
    })
  }
  return prepared
}

const column = <T, K extends keyof T>(rows: T[], key: K) => rows.map((row) => row[key] ?? null)

async function insertSales(tx: Transaction, sales: Prepared[]): Promise<Set<string>> {
  const rows = await tx.many<{ id: string }>`
    insert into sales (id, account_id, lead_id, partner_id, blueprint_id, provider, connection_id, external_id, customer_id,
      payer_email, amount, tax_amount, gross_amount, currency, account_amount, account_currency, fx_rate, fx_date, sale_date,
      description, subscription_id, sequence, hold_rule, held_until, credited, matched_by, metadata, created_by,
      created_at)
    select s.id, s.account_id, s.lead_id, s.partner_id, s.blueprint_id, s.provider, s.connection_id, s.external_id,
      s.customer_id, s.payer_email, s.amount, s.tax_amount, s.gross_amount, s.currency, s.account_amount, s.account_currency,
      s.fx_rate, s.fx_date, s.sale_date, s.description, s.subscription_id,
      coalesce((select max(e.sequence) from sales e where e.lead_id = s.lead_id), 0)
        + row_number() over (partition by s.lead_id order by s.place),
      s.hold_rule, s.held_until, s.credited, s.matched_by, s.metadata, s.created_by, ${tx.now}
    from unnest(${column(sales, 'id')}::uuid[], ${sales.map((sale) => sale.account.id)}::uuid[],
      ${column(sales, 'leadId')}::uuid[], ${sales.map((sale) => sale.lead?.partnerId ?? null)}::uuid[],
      ${sales.map((sale) => sale.lead?.blueprintId ?? null)}::uuid[], ${column(sales, 'provider')}::text[],
      ${column(sales, 'connectionId')}::uuid[], ${column(sales, 'externalId')}::text[],
      ${column(sales, 'customerId')}::text[], ${column(sales, 'payerEmail')}::text[], ${column(sales, 'amount')}::bigint[],
      ${column(sales, 'taxAmount')}::bigint[], ${column(sales, 'grossAmount')}::bigint[], ${column(sales, 'currency')}::text[],
      ${column(sales, 'accountAmount')}::bigint[], ${sales.map((sale) => sale.account.defaultCurrency)}::text[],
      ${column(sales, 'fxRate')}::numeric[], ${column(sales, 'fxDate')}::date[], ${column(sales, 'saleDate')}::date[],
      ${column(sales, 'description')}::text[], ${column(sales, 'subscriptionId')}::text[],
      ${sales.map((sale) => sale.hold?.rule ?? null)}::text[], ${sales.map((sale) => sale.hold?.until ?? null)}::timestamptz[],
      ${sales.map((sale) => sale.hold?.credit !== false)}::boolean[], ${column(sales, 'matchedBy')}::text[], ${sales.map((sale) => JSON.stringify(sale.metadata ?? {}))}::jsonb[],
      ${sales.map((sale) => actorOf(sale.by))}::text[]) with ordinality
      as s (id, account_id, lead_id, partner_id, blueprint_id, provider, connection_id, external_id, customer_id, payer_email,
        amount, tax_amount, gross_amount, currency, account_amount, account_currency, fx_rate, fx_date, sale_date, description,
        subscription_id, hold_rule, held_until, credited, matched_by, metadata, created_by, place)
    order by s.account_id, s.provider, s.external_id
    on conflict (account_id, provider, external_id) where external_id is not null do nothing
    returning id`
  return new Set(rows.map((row) => row.id))
}

const keyOf = (sale: { account: { id: string }; provider: string; externalId: string | null }) =>
  `${sale.account.id} ${sale.provider} ${sale.externalId}`

async function knownSales(tx: Transaction, sales: Prepared[]) {
  const rows = await tx.many<{ id: string; accountId: string; provider: string; externalId: string }>`
    select s.id, s.account_id, s.provider, s.external_id
    from unnest(${sales.map((sale) => sale.account.id)}::uuid[], ${column(sales, 'provider')}::text[],
      ${column(sales, 'externalId')}::text[]) as wanted (account_id, provider, external_id)
      join sales s using (account_id, provider, external_id)`
  return new Map(rows.map((row) => [keyOf({ ...row, account: { id: row.accountId } }), row.id]))
}

async function book(tx: Transaction, sales: Prepared[]) {
  const earning = sales
    .filter((sale) => sale.lead?.partnerId && sale.accountAmount && sale.hold?.credit !== false)
    .map(
      (sale): EarningSale => ({
        id: sale.id,
        accountId: sale.account.id,
        partnerId: sale.lead!.partnerId!,
        blueprintId: sale.lead!.blueprintId,
        accountAmount: sale.accountAmount!,
        saleDate: sale.saleDate,
        subscriptionId: sale.subscriptionId ?? null,
      }),
    )
  const plans = await planEarnings(tx, earning)
  const entries = new Map(sales.map((sale) => [sale.id, earnedEntries(sale, plans.get(sale.id) ?? [])]))
  await writeEntries(tx, [...entries.values()].flat())
  await count(
    tx,
    sales.flatMap((sale) => {
      const { partnerId = null, blueprintId = null } = sale.lead ?? {}
      const counted = { ...sale, accountId: sale.account.id, partnerId, blueprintId, status: 'completed' }
      return figuresOf(counted, [], entries.get(sale.id) ?? [])
    }),
  )
}

/** The ledger rows of a sale's plan; they fall due at the start of the sale date plus the account's payout delay. */
export const earnedEntries = (
  sale: { id: string; account: AccountFacts; saleDate: string; by: By },
  plan: { partnerId: string; layer: number; ratePpm: number; baseAmount: number; amount: number }[],
): NewEntry[] =>
  plan.map((earning) =>
    entry({
      ...earning,
      accountId: sale.account.id,
      saleId: sale.id,
      currency: sale.account.defaultCurrency,
      kind: 'earned',
      day: sale.saleDate,
      actor: actorOf(sale.by),
    }),
  )
