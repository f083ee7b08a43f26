import {
  type ErasedRows,
  type LeadTraces,
  listTables,
  type PartnerTraces,
  type Search,
  type TextMatcher,
  type Traces,
} from '../../platform/database/declare-tables.ts'
import { emptyingSql, isFullSql } from '../../platform/database/erased-rows.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { toLikePatterns, toPattern, withNames } from './search.ts'

/** Finds the objects of these leads. */
export async function tracesOfLeads(
  db: Queryable,
  accountId: string,
  leadIds: string[],
  search: Search,
): Promise<LeadTraces> {
  const sales = await db.many<{ id: string }>`
    select id from sales t
    where t.account_id = ${accountId} and (t.lead_id = any(${leadIds}::uuid[]) or t.test_lead_id = any(${leadIds}::uuid[])
      or lower(t.payer_email) = any(${search.values}))`
  const saleIds = sales.map(({ id }) => id)
  const refunds = await db.many<{ id: string }>`
    select id from refunds where account_id = ${accountId} and sale_id = any(${saleIds}::uuid[])`
  const known = await db.many<{ id: string }>`
    select payment_key as id from provider_payments where account_id = ${accountId} and sale_id = any(${saleIds}::uuid[])
    union select customer_id from shop_customers where account_id = ${accountId} and lead_id = any(${leadIds}::uuid[])`
  const [refundIds, providerIds] = [refunds, known].map((rows) => rows.map(({ id }) => id)) as [string[], string[]]
  const others = await db.many<{ id: string }>`
    select id from partners where account_id = ${accountId} and email = any(${search.values})
    union all select id from applications where account_id = ${accountId} and email = any(${search.values})`
  const otherIds = others.map(({ id }) => id)
  return { type: 'lead', accountId, leadIds, saleIds, refundIds, providerIds, otherIds, search }
}

/** Finds the objects of a partner. */
export async function tracesOfPartner(
  db: Queryable,
  accountId: string,
  partnerId: string,
  search: Search,
): Promise<PartnerTraces> {
  const payouts = await db.many<{ id: string }>`
    select id from payouts where account_id = ${accountId} and partner_id = ${partnerId}`
  const unused = await db.many<{ email: string }>`
    select email from unnest(${search.values}::text[]) as t (email)
    where not exists (select from users u where u.email = t.email)`
  const payoutIds = payouts.map(({ id }) => id)
  const unusedEmails = unused.map(({ email }) => email)
  return { type: 'partner', accountId, partnerId, payoutIds, search, unusedEmails, readAt: db.now }
}

/** A table's rows with something of the person, by its key. */
export type ErasureStep = ErasedRows & { table: string; key: [column: string, type: string][] }

/** Every table with personal columns of such a person, but those whose values are sealed. */
export function listErasureSteps(traces: Traces): ErasureStep[] {
  const texts = buildMatcher(traces.search)
  return [...listTables()].flatMap(([table, { erased }]) => {
    const rows = traces.type === 'lead' ? erased?.lead?.(traces, texts) : erased?.partner?.(traces, texts)
    return [rows ?? []].flat().map((one) => ({ key: [['id', 'uuid']], ...one, table }))
  })
}

const buildMatcher = (search: Search): TextMatcher => {
  const saysOne = (sought: Pick<Search, 'values' | 'ids'>) => {
    const [pattern, likes] = [toPattern(sought), toLikePatterns(sought)]
    // inside `is true` the order stays: the regular expression, many times as slow, reads only what may match
    return (text: string) =>
      pattern === null
        ? sql`false`
        : sql`((lower(${rawSql(text)}) like any(${likes}::text[]) and lower(${rawSql(text)}) ~ ${pattern}) is true)`
  }
  return { saysOne, says: saysOne(search), saysOrNames: saysOne(withNames(search)) }
}

const inAccount = ({ ofNoAccount }: ErasureStep, accountId: string) =>
  ofNoAccount ? sql`true` : sql`t.account_id = ${accountId}`

/** Rows emptied at once. */
const WRITTEN = 500

/** Rows of a scanned table read at once. */
const readAtOnce = ({ atOnce = 1000 }: ErasureStep) => atOnce

const keysOf = ({ key }: ErasureStep, alias: string) =>
  joinSql(
    key.map(([name]) => rawSql(`${alias}."${name}"`)),
    ', ',
  )
const keyOf = ({ key }: ErasureStep, values: string[]) =>
  joinSql(
    values.map((value, at) => sql`${value}::text::${rawSql(key[at]![1])}`),
    ', ',
  )
const isAfter = (step: ErasureStep, after: string[] | null) =>
  after ? sql`(${keysOf(step, 't')}) > (${keyOf(step, after)})` : sql`true`

/** The keys of the next rows of a scanned table, whatever they contain. */
const pageAfter = (step: ErasureStep, accountId: string, after: string[] | null) => sql`
  select ${keysOf(step, 't')} from ${rawSql(step.table)} t
  where ${inAccount(step, accountId)} and ${isAfter(step, after)} order by ${keysOf(step, 't')} limit ${readAtOnce(step)}`

type Page = { seen: number; found: number; last: string[] | null }

/** Reads a page of keys `p`, and what `found` finds or changes among its rows. */
const pageWith = (db: Queryable, step: ErasureStep, page: Sql, found: Sql) => db.one<Page>`
  with page as materialized (${page}), found as (${found})
  select (select count(*) from page) as seen, (select count(*) from found) as found,
    (select array[${joinSql(
      step.key.map(([name]) => rawSql(`p."${name}"::text`)),
      ', ',
    )}] from page p
      order by ${joinSql(
        step.key.map(([name]) => rawSql(`p."${name}" desc`)),
        ', ',
      )} limit 1) as last`

const isOnPage = ({ key }: ErasureStep) =>
  joinSql(
    key.map(([name]) => rawSql(`t."${name}" = p."${name}"`)),
    ' and ',
  )

/** Counts the rows that an erasure would empty. */
export async function countTraces(db: Queryable, { accountId, type }: Traces, step: ErasureStep): Promise<number> {
  const table = rawSql(step.table)
  const is = sql`${inAccount(step, accountId)} and ${step.which} and ${isFullSql(step.table, type)}`
  if (!step.scanned) return db.value<number>`select count(*) from ${table} t where ${is}`
  let count = 0
  for (let after: string[] | null = null; ; ) {
    const among = sql`select from ${table} t, page p where ${isOnPage(step)} and ${is}`
    const { seen, found, last }: Page = await pageWith(db, step, pageAfter(step, accountId, after), among)
    count += found
    after = last
    if (seen < readAtOnce(step)) return count
  }
}

/** Yields at most so many rows of a step about the person alone, those of a scanned table page by page. */
export async function* rowsOfStep<Row>(
  db: Queryable,
  accountId: string,
  step: ErasureStep,
  { columns, most }: { columns: Sql; most: number },
): AsyncGenerator<Row[]> {
  let left = most
  const rows = (part: Sql) => db.many<Row>`
    select ${columns} from ${rawSql(step.table)} t
    where ${inAccount(step, accountId)} and ${step.own ?? step.which} and ${part}
    order by ${keysOf(step, 't')} limit ${left}`
  if (!step.scanned) return yield await rows(sql`true`)
  for (let after: string[] | null = null; left > 0; ) {
    const { seen, last }: Page = await pageWith(db, step, pageAfter(step, accountId, after), sql`select from page`)
    if (!last) return
    const found = await rows(sql`${isAfter(step, after)} and (${keysOf(step, 't')}) <= (${keyOf(step, last)})`)
    yield found
    left -= found.length
    after = last
    if (seen < readAtOnce(step)) return
  }
}

/**
 * Empties the next page of a table, after the row with this key. `isLast`: nothing follows.
 */
export async function emptyPage(
  tx: Transaction,
  { accountId, type }: Traces,
  step: ErasureStep,
  after: string[] | null,
) {
  const { table, which, scanned, waiting = sql`false` } = step
  const is = sql`${which} and not ${waiting} and ${isFullSql(table, type)}`
  const page = scanned
    ? pageAfter(step, accountId, after)
    : sql`select ${keysOf(step, 't')} from ${rawSql(table)} t where ${inAccount(step, accountId)} and ${is} limit ${WRITTEN}`
  const { seen, found, last } = await pageWith(
    tx,
    step,
    page,
    sql`update ${rawSql(table)} t set ${emptyingSql(table, type)} from page p
      where ${inAccount(step, accountId)} and ${isOnPage(step)} and ${is} returning 1`,
  )
  return { emptied: found, last, isLast: seen < (scanned ? readAtOnce(step) : WRITTEN) }
}
