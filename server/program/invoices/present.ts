import { bothNames } from '#contract/former-names.ts'
import type { Invoice, InvoiceDocument, InvoiceNumberGap } from '#contract/invoices.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, idFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import { getSeries, numberSql } from '../invoicing/series.ts'
import { partnerNameSql, partnersFound } from '../partner-directory/partner-names.ts'

/** The content of a document that has no column of its own; it never changes. */
export type Snapshot = Pick<
  InvoiceDocument,
  'account' | 'partner' | 'periodStart' | 'periodEnd' | 'lines' | 'words'
> & {
  payoutNumber: string
}

const invoices = sql`(
  select i.*, ${numberSql(sql`i`)} as name, 'PO-' || o.statement_number as payout_number,
    ${partnerNameSql(sql`n`)} as partner_name, c.id as credited_by
  from invoices i join payouts o on o.account_id = i.account_id and o.id = i.payout_id
    join partners n on n.account_id = i.account_id and n.id = i.partner_id
    left join invoices c on c.account_id = i.account_id and c.credits = i.id) t`

const columns = sql`t.id, t.account_id, t.name as number, t.kind, t.payout_id, t.payout_number, t.partner_id, t.partner_name,
  t.issued_on, t.net, t.tax_rate, t.tax, t.gross, t.currency, t.treatment, t.credited_by, t.credits, t.created_at`

/** Returns these documents, in no order. */
export const presentInvoices = (db: Queryable, accountId: string, ids: string[]) => db.many<Invoice>`
  select ${columns} from ${invoices} where t.account_id = ${accountId} and t.id = any(${ids}::uuid[])`

type InvoiceQuery = ListQuery & {
  kind?: string[] | undefined
  partnerId?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists the documents of an account, or those that meet `scope` as well. */
const listOf = (db: Queryable, accountId: string, query: InvoiceQuery, scope: Sql) =>
  listPage<Invoice>(db, query, {
    columns,
    from: invoices,
    scope: sql`t.account_id = ${accountId} and ${scope}`,
    filters: [
      valueFilter(sql`t.kind`, query.kind),
      idFilter(sql`t.partner_id`, query.partnerId),
      query.from === undefined ? undefined : sql`t.issued_on >= ${query.from}::date`,
      query.to === undefined ? undefined : sql`t.issued_on <= ${query.to}::date`,
      query.search
        ? sql`(${containsFilter(sql`t.name`, query.search)!} or t.partner_id in ${partnersFound(accountId, query.search)})`
        : undefined,
    ],
    sorts: {
      // those that wait for their numbers come last
      number: { by: sql`coalesce(t.number, 2147483647)::bigint`, type: 'bigint' },
      issuedOn: { by: sql`t.issued_on`, type: 'date' },
      gross: { by: sql`t.gross`, type: 'bigint' },
    },
  })

export async function listInvoices(db: Queryable, accountId: string, query: InvoiceQuery) {
  const gaps = await db.many<InvoiceNumberGap>`
    select from_number as "from", to_number - 1 as "to", reason, at from invoice_jumps
    where account_id = ${accountId} order by from_number desc`
  const { unsure } = await getSeries(db, accountId)
  return { ...(await listOf(db, accountId, query, sql`true`)), unsure, ...bothNames('numberGaps', gaps) }
}

export const listPartnerInvoices = (db: Queryable, accountId: string, partnerId: string, query: InvoiceQuery) =>
  listOf(db, accountId, query, sql`t.partner_id = ${partnerId}`)

/** Returns a whole document. */
export async function readDocument(db: Queryable, accountId: string, id: string): Promise<InvoiceDocument> {
  const { snapshot, creditedNumber, creditedOn, ...invoice } = await db.one<
    Invoice & { snapshot: Snapshot; creditedNumber: string | null; creditedOn: string | null }
  >`
    select ${columns}, t.snapshot, b.credited_number, b.credited_on
    from ${invoices} left join lateral (
      select ${numberSql(sql`b`)} as credited_number, b.issued_on as credited_on from invoices b
      where b.account_id = t.account_id and b.id = t.credits) b on true
    where t.account_id = ${accountId} and t.id = ${id}`
  const credited =
    invoice.credits === null ? null : { id: invoice.credits, number: creditedNumber, issuedOn: creditedOn! }
  return { ...invoice, ...snapshot, credited }
}
