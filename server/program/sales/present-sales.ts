import type { Refund, Sale, SaleHold } from '#contract/sales.ts'
import type { ListQuery } from '#contract/values.ts'
import { rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, listPage } from '../../platform/http/list.ts'
import { wrongField } from '../../platform/refusal.ts'
import { readAccountIds, type WholeView } from '../access/access.ts'
import { type EntryReader, entriesOfSales, presentEarned, type WrittenEntry } from '../commissions/present-entries.ts'
import { leadNames } from '../leads/lead-facts.ts'
import { formatLeadName, type LeadIdentity } from '../leads/lead-name.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { atProvider, type PaidShop } from './payment-pages.ts'
import { saleSearch } from './sale-filters.ts'

/** A row `t` of sales. */
export type SaleColumns = Omit<
  Sale,
  'leadName' | 'partnerName' | 'commissions' | 'refunds' | 'hold' | 'livemode' | 'providerUrl'
> & {
  shop: PaidShop | null
  holdRule: SaleHold['rule'] | null
  holdPolicy: SaleHold['policy'] | null
  holdReason: string | null
  heldUntil: string | null
}

/** A caller with access to one account. */
type Reader = Exclude<EntryReader, WholeView>

/**
 * The shop that took the payment of sale `t`, which keeps its mode when a connection changes; null without a provider.
 * A sale from another source may be a payment that a shop reported too.
 */
export const paidShop = sql`(select jsonb_build_object('provider', h.provider, 'livemode', h.livemode, 'account', h.external_id)
  from provider_shops h where h.account_id = t.account_id and h.id = coalesce(t.shop_id, t.told_by_shop_id)) as shop`

/** Columns of sale `t` itself. */
export const ownSaleColumns = sql`t.id, t.account_id, coalesce(t.lead_id, t.test_lead_id) as lead_id, t.partner_id, t.provider, t.external_id, t.amount, t.gross_amount,
  t.tax_amount, t.currency, t.account_amount, t.account_currency, t.fx_rate, t.fx_date, t.sale_date, t.description,
  t.subscription_id, case when not t.is_test then t.sequence end as sequence, t.refunded_amount, t.status, t.matched_by, t.payer_email,
  t.customer_id as provider_customer_id, t.created_at, t.hold_rule,
  t.hold_policy, t.hold_reason, t.held_until, t.void_reason, t.country, coalesce(t.promotion_codes, '{}') as promotion_codes,
  coalesce(t.lines, '[]') as lines`

const saleColumns = sql`${ownSaleColumns}, ${paidShop}`

/** Returns sales as this reader may see them; without amounts for a partner if the account hides them. */
async function present(db: Queryable, reader: EntryReader, rows: SaleColumns[]): Promise<Sale[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const entries = Map.groupBy(await entriesOfSales(db, reader, ids), (entry) => entry.saleId)
  const refunds = Map.groupBy(await refundsOf(db, readAccountIds(reader), ids), (refund) => refund.saleId)
  const names = await partnerNames(
    db,
    readAccountIds(reader),
    rows.map((row) => row.partnerId),
    reader.partnerId,
  )
  const leads = await leadNames(
    db,
    reader,
    rows.map((row) => row.leadId),
  )
  const hidden = reader.as === 'partner' && !reader.account.partnerVisibility.saleAmounts
  return rows.map((row) => {
    const sale = whole(row, {
      leadName: (row.leadId && leads.get(row.leadId)) || null,
      partnerName: (row.partnerId && names.get(row.partnerId)) || null,
      commissions: entries.get(row.id) ?? [],
      refunds: refunds.get(row.id) ?? [],
    })
    return hidden ? withoutAmounts(sale) : reader.as === 'partner' ? withoutProductIds(sale) : sale
  })
}

type Around = Pick<Sale, 'leadName' | 'partnerName' | 'commissions' | 'refunds'>
const whole = ({ holdRule, holdPolicy, holdReason, heldUntil, shop, ...row }: SaleColumns, around: Around): Sale => ({
  ...row,
  ...atProvider(row, shop),
  hold: holdRule && { rule: holdRule, policy: holdPolicy!, reason: holdReason ?? '', until: heldUntil },
  ...around,
})

/** Returns a sale just recorded and its earnings, as the account's owner sees it, without reading it again. */
export const presentRecorded = (
  names: Map<string, string>,
  row: SaleColumns,
  { lead, entries }: { lead: LeadIdentity | null; entries: WrittenEntry[] },
): Sale =>
  whole(row, {
    leadName: lead && formatLeadName(lead),
    partnerName: (row.partnerId && names.get(row.partnerId)) || null,
    commissions: presentEarned(names, entries),
    refunds: [],
  })

const withoutProductIds = (sale: Sale): Sale => ({
  ...sale,
  lines: sale.lines.map((line) => ({ ...line, productId: null, priceId: null, sku: null })),
})

function withoutAmounts(sale: Sale): Sale {
  const amounts = { amount: null, grossAmount: null, taxAmount: null, accountAmount: null, refundedAmount: null }
  return {
    ...sale,
    ...amounts,
    lines: [],
    refunds: sale.refunds.map((refund) => ({ ...refund, amount: null, lines: [] })),
  }
}

const refundsOf = (db: Queryable, accountIds: string[], saleIds: string[]) => db.many<Refund & { saleId: string }>`
  select id, sale_id, kind, amount, external_id, status, reason, coalesce(lines, '[]') as lines, at from refunds
  where account_id = any(${accountIds}::uuid[]) and sale_id = any(${saleIds}::uuid[]) order by at, id`

export async function presentSales(db: Queryable, reader: EntryReader, ids: string[]): Promise<Map<string, Sale>> {
  const rows = await db.many<SaleColumns>`
    select ${saleColumns} from ${rowsByKeySql(sql`sales`, readAccountIds(reader), ids)}`
  return new Map((await present(db, reader, rows)).map((sale) => [sale.id, sale]))
}

export const presentSale = async (db: Queryable, reader: EntryReader, id: string) =>
  (await presentSales(db, reader, [id])).get(id)!

export async function presentRefund(db: Queryable, accountId: string, id: string): Promise<Refund> {
  return db.one<Refund>`
    select id, kind, amount, external_id, status, reason, coalesce(lines, '[]') as lines, at from refunds where account_id = ${accountId} and id = ${id}`
}

type Listed = { scope: Sql; filters?: (Sql | undefined)[]; total?: () => Promise<number> }

/** Returns a page of sales within `scope`; `total` counts them. Refuses: a partner's sort by hidden amounts. */
export async function salesPage(
  db: Queryable,
  reader: Reader,
  query: ListQuery,
  { scope, filters = [], total }: Listed,
) {
  if (reader.as === 'partner' && !reader.account.partnerVisibility.saleAmounts && query.sort.endsWith('amount'))
    throw wrongField('sort', 'sale_amounts_not_shown')
  const { items, ...rest } = await listPage<SaleColumns>(db, query, {
    columns: saleColumns,
    from: sql`sales t`,
    scope: sql`t.account_id = ${reader.account.id} and ${scope}`,
    filters: [...filters, await searchBy(db, reader, query.search)],
    sorts: {
      saleDate: { by: sql`t.sale_date`, type: 'date' },
      amount: { by: sql`t.amount`, type: 'bigint' },
    },
    ...(total && { total }),
  })
  return { ...rest, items: await present(db, reader, items) }
}

/** Searches only fields that the reader sees. */
const searchBy = async (db: Queryable, { as, account }: Reader, search: string | undefined) =>
  as === 'partner' ? containsFilter(sql`t.status`, search) : saleSearch(db, account.id, sql`t.id`, search)
