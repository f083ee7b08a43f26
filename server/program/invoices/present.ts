import { bothNames } from '#contract/former-names.ts'
import type { Invoice, InvoiceDocument, InvoiceNumberGap, ListedInvoice } from '#contract/invoices.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { containsFilter, idFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import { getSeries, numberSql } from '../invoicing/series.ts'
import { partnerNameSql, partnersFound } from '../partner-directory/partner-names.ts'
import { electronicForms } from './electronic.ts'
import type { Snapshot } from './snapshot.ts'
import type { Written } from './wording.ts'

/** Joins `r`, the invoice that corrects document `i`. */
const joinCorrection = (i: Sql) => sql`left join invoices r on r.account_id = ${i}.account_id
  and r.payout_id = ${i}.payout_id and r.turn = ${i}.turn
  and r.revision = ${i}.revision + 1 and r.kind = ${i}.kind and r.kind = 'invoice'`

const invoices = sql`(
  select i.*, ${numberSql(sql`i`)} as name, 'PO-' || o.statement_number as payout_number,
    ${partnerNameSql(sql`n`)} as partner_name, c.id as credited_by, ${numberSql(sql`r`)} as corrected_by
  from invoices i join payouts o on o.account_id = i.account_id and o.id = i.payout_id
    join partners n on n.account_id = i.account_id and n.id = i.partner_id
    left join invoices c on c.account_id = i.account_id and c.credits = i.id
    ${joinCorrection(sql`i`)}) t`

const columns = sql`t.id, t.account_id, t.name as number, t.kind, t.payout_id, t.payout_number, t.partner_id, t.partner_name,
  t.issued_on, t.net, t.tax_rate, t.tax, t.gross, t.currency, t.treatment, t.credited_by,
  t.corrected_by, t.credits,
  t.numbered_on, t.objected_at, t.objection_closed_at, t.created_at, t.snapshot`

/** The state of an objection to document `t`, in SQL; null without one. */
const objectionState = sql`case when t.objected_at is not null then
  case when t.objection_closed_at is null and t.credited_by is null then 'open' else 'closed' end end`

type Row = Omit<Invoice, 'electronic'> & { snapshot: Snapshot }

const presented = <R extends Row>({ snapshot, ...row }: R) => ({
  ...row,
  electronic: electronicForms({ ...row, ...snapshot }),
})

/** Returns these documents, in no order. */
export async function presentInvoices(db: Queryable, accountId: string, ids: string[]): Promise<Invoice[]> {
  const rows = await db.many<Row>`
    select ${columns} from ${invoices} where t.account_id = ${accountId} and t.id = any(${ids}::uuid[])`
  return rows.map(presented)
}

type InvoiceQuery = ListQuery & {
  kind?: string[] | undefined
  objection?: string[] | undefined
  partnerId?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists the documents of an account, or those that meet `scope` as well. */
async function listOf(db: Queryable, accountId: string, query: InvoiceQuery, scope: Sql) {
  const { items, ...page } = await listPage<Row & Pick<ListedInvoice, 'objection'>>(db, query, {
    columns: sql`${columns}, t.objection`,
    from: invoices,
    scope: sql`t.account_id = ${accountId} and ${scope}`,
    filters: [
      valueFilter(sql`t.kind`, query.kind),
      valueFilter(objectionState, query.objection),
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
  return { ...page, items: items.map(presented) }
}

export async function listInvoices(db: Queryable, accountId: string, query: InvoiceQuery) {
  const gaps = await db.many<InvoiceNumberGap>`
    select from_number as "from", to_number - 1 as "to", reason, at from invoice_jumps
    where account_id = ${accountId} order by from_number desc`
  const { unsure } = await getSeries(db, accountId)
  return { ...(await listOf(db, accountId, query, sql`true`)), unsure, ...bothNames('numberGaps', gaps) }
}

export const listPartnerInvoices = (db: Queryable, accountId: string, partnerId: string, query: InvoiceQuery) =>
  listOf(db, accountId, query, sql`t.partner_id = ${partnerId}`)

/** Documents whose contents are in memory at once. */
const AT_ONCE = 500

/** Returns the numbered documents issued on these days, in the order of their numbers, and whether each has an XML. */
export async function listNumbered(
  db: Queryable,
  accountId: string,
  { from, to }: { from: string; to: string },
  most: number,
): Promise<{ id: string; number: string; xml: boolean }[]> {
  const found: { id: string; number: string; xml: boolean }[] = []
  let after = 0
  while (found.length < most) {
    const rows = await db.many<Row & { place: number }>`
      select ${columns}, t.number as place from ${invoices}
      where t.account_id = ${accountId} and t.number > ${after} and t.issued_on between ${from}::date and ${to}::date
      order by t.number limit ${AT_ONCE}`
    for (const { place: _, ...row } of rows) {
      const { id, number, electronic } = presented(row)
      found.push({ id, number: number!, xml: electronic.xml })
    }
    if (rows.length < AT_ONCE) break
    after = rows.at(-1)!.place
  }
  return found
}

/** Returns a whole document, and how it is written. */
export async function readDocument(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<{ document: InvoiceDocument } & Written> {
  const { snapshot, creditedNumber, creditedOn, creditedCorrectedBy, ...invoice } = await db.one<
    Row &
      Pick<ListedInvoice, 'objection'> & {
        creditedNumber: string | null
        creditedOn: string | null
        creditedCorrectedBy: string | null
      }
  >`
    select ${columns}, t.objection, b.credited_number, b.credited_on, b.credited_corrected_by
    from ${invoices} left join lateral (
      select ${numberSql(sql`b`)} as credited_number, b.issued_on as credited_on,
        ${numberSql(sql`r`)} as credited_corrected_by
      from invoices b ${joinCorrection(sql`b`)}
      where b.account_id = t.account_id and b.id = t.credits) b on true
    where t.account_id = ${accountId} and t.id = ${id}`
  const credited =
    invoice.credits === null
      ? null
      : {
          id: invoice.credits,
          number: creditedNumber,
          issuedOn: creditedOn!,
          correctedBy: creditedCorrectedBy,
        }
  const { form, language, wording, account, partner, ...rest } = snapshot
  const numbers = { companyNumber: null, peppolId: null }
  const document = {
    ...invoice,
    ...rest,
    electronic: electronicForms({ ...invoice, ...snapshot }),
    account: { ...numbers, ...account },
    partner: partner && { ...numbers, taxNumber: null, ...partner },
    credited,
  }
  return { document, form, language, wording }
}
