import type { ListQuery } from '#contract/values.ts'
import { servesSpread } from '../database/cluster/spread.ts'
import { asUuid, leastIdAt } from '../database/ids.ts'
import type { Queryable } from '../database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../database/sql.ts'
import { wrongField } from '../refusal.ts'
import { dayStart } from '../time/day-start.ts'

/** A sort key of a list: an expression that is never null, and its SQL type. */
export type Sort = { by: Sql; type: 'timestamptz' | 'text' | 'bigint' | 'date' }

const createdAt: Sort = { by: sql`t.created_at`, type: 'timestamptz' }

type List = {
  columns: Sql
  /**
   * Tables and joins; the listed table is `t`. A list of several parts applies `few` to each, which limits it to the
   * rows that one page may need, found in order by an index.
   */
  from: Sql | ((few: (part: Sql) => Sql) => Sql)
  /**
   * Joined to the rows of the page alone, for columns that no condition and no order names. On a cluster they are joined
   * to all: it would not see that the page's rows are on one machine.
   */
  joins?: Sql
  /**
   * Joined by the id as `t` to the rows of the page: a list in an order that no index has then carries only keys through
   * the sort of all rows. Not on a cluster, where `from` has all columns too.
   */
  byKey?: Sql
  /** Common table expressions that the list is read from. */
  ctes?: Sql
  /** The condition for all rows of the list. */
  scope: Sql
  /** The query's conditions. */
  filters: (Sql | undefined)[]
  /** In addition to `createdAt`, which is always available. */
  sorts?: Record<string, Sort>
  /**
   * The table is partitioned by month of its ids, and no id is a day older than its `createdAt`: the newest partitions
   * are read first.
   */
  byMonth?: true
  /** Returns the exact number of all rows in scope, if a roll-up has it or the page's rows contain it. */
  total?: (rows: unknown[]) => Promise<number>
}

/** The position of a row in the order of its list. */
type Place = { cursorValue: string; cursorId: string }

const DAY_MS = 86_400_000
const ASKED_FIRST_DAYS = 62

/** Most rows counted in a filtered list; more returns 1001, shown as '1,000+'. */
const COUNTED = 1000

/**
 * Returns one page by keyset: rows after the cursor in (sort field, id), so that paging neither skips nor repeats.
 * Refuses: a cursor that does not belong to this sort.
 */
export async function listPage<Row>(db: Queryable, query: ListQuery, list: List) {
  const descending = query.sort.startsWith('-')
  const { by, type } = findSort(query, list).sort
  const filters = list.filters.filter((filter) => filter !== undefined)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, query.sort, type)
  const direction = rawSql(descending ? 'desc' : 'asc')
  const conditions = [list.scope, ...filters]
  if (after) {
    const value = sql`${after.value}::text::${rawSql(type)}`
    conditions.push(sql`(${by}, t.id) ${rawSql(descending ? '<' : '>')} (${value}, ${after.id}::uuid)`)
  }
  const orderBy = (key: Sql) => sql`order by ${key} ${direction}, t.id ${direction}`
  const order = sql`${orderBy(by)} limit ${query.limit + 1}`
  const few = (part: Sql) => sql`(select t.* from ${part} t where ${joinSql(conditions, ' and ')} ${order})`
  const from = typeof list.from === 'function' ? sql`(${list.from(few)}) t` : list.from
  const ctes = list.ctes ? sql`with ${list.ctes}` : sql``
  const { joins = sql``, byKey } = list
  const pageFirst = (list.joins || byKey) && !(await servesSpread(db))
  const ask = (near: Sql[]) => {
    const found = (joins: Sql = sql``) =>
      sql`from ${from} ${joins} where ${joinSql([...conditions, ...near], ' and ')} ${order}`
    const key = rawSql(byKey ? 'page' : 't')
    return pageFirst
      ? db.many<Row & Place>`
          ${ctes} select ${list.columns}, ${key}.cursor_at::text as cursor_value, t.id as cursor_id
          from (select ${byKey ? sql`t.id` : sql`t.*`}, ${by} as cursor_at ${found()}) ${key}
            ${byKey ? sql`join ${byKey} on t.id = page.id` : sql``} ${joins} ${orderBy(sql`${key}.cursor_at`)}`
      : db.many<Row & Place>`
          ${ctes} select ${list.columns}, (${by})::text as cursor_value, t.id as cursor_id ${found(list.joins)}`
  }
  const start = after ? Date.parse(after.value) : db.now.getTime()
  const found = list.byMonth && query.sort === '-createdAt' ? await inNewestMonths(ask, start, query.limit) : undefined
  const rows = found ?? (await ask([]))
  const more = rows.length > query.limit
  const items = rows.slice(0, query.limit)
  const last = items.at(-1)
  return {
    items: items as Row[],
    nextCursor: more && last ? writeCursor(query.sort, last.cursorValue, last.cursorId) : null,
    // a single page contains everything; a later count might include newer rows
    total: (after || more) && !query.uncounted ? await countRows(db, list, filters, rows) : items.length,
  }
}

/** Returns the field that a list is sorted by, and its key. */
export function findSort({ sort }: ListQuery, { sorts }: Pick<List, 'sorts'>): { field: string; sort: Sort } {
  const field = sort.replace(/^-/, '')
  const known: Record<string, Sort> = { createdAt, ...sorts }
  return { field, sort: known[field]! }
}

/** Returns all of a page that begins at `start`, if the newest months contain it. */
async function inNewestMonths<Row extends Place>(ask: (near: Sql[]) => Promise<Row[]>, start: number, limit: number) {
  const since = start - ASKED_FIRST_DAYS * DAY_MS
  const rows = await ask([sql`t.id >= ${leastIdAt(since)}`])
  const last = rows[limit]
  return last && Date.parse(last.cursorValue) >= since + DAY_MS ? rows : undefined
}

async function countRows(db: Queryable, list: List, filters: Sql[], rows: unknown[]) {
  if (filters.length === 0 && list.total) return list.total(rows)
  const limit = filters.length === 0 ? sql`` : sql`limit ${COUNTED + 1}`
  const from = typeof list.from === 'function' ? sql`(${list.from((part) => sql`(${part})`)}) t` : list.from
  return db.value<number>`
    select count(*) as count
    from (select from ${from} where ${joinSql([list.scope, ...filters], ' and ')} ${limit}) counted`
}

const writeCursor = (sort: string, value: string, id: string) =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

function readCursor(cursor: string, sort: string, type: Sort['type']) {
  try {
    const [of, value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const valid = of === sort && typeof value === 'string' && typeof id === 'string' && readable[type](value)
    if (valid) return { value, id: asUuid(id) }
  } catch {
    // refused below
  }
  throw wrongField('cursor', 'invalid_cursor')
}

/** Validates values: a forged cursor must not reach PostgreSQL's parsers. */
const readable: Record<Sort['type'], (value: string) => boolean> = {
  bigint: (value) => /^-?\d{1,18}$/.test(value),
  date: isDay,
  timestamptz: (value) =>
    isDay(value.slice(0, 10)) && /^[\d-]{10} ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?[+-]\d\d(:\d\d){0,2}$/.test(value),
  text: (value) => value.length <= 1000 && !value.includes('\u0000') && value.isWellFormed(),
}

function isDay(value: string) {
  const at = /^(?!0000)\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined
  return at?.toJSON()?.slice(0, 10) === value
}

/**
 * Matches the text anywhere in the searched expression, in the form of the trigram index of `t` with the account. One
 * or two letters have no trigrams: the index would return every row of the account before the first is tested.
 */
export const searchFilter = (expression: Sql, accountId: string, search: string | undefined) =>
  search && [...search].length >= 3
    ? sql`(t.account_id = ${accountId} and ${containsFilter(expression, search)!})`
    : containsFilter(expression, search)

/** Like `searchFilter`, without an index, for lists that stay short. */
export const containsFilter = (expression: Sql, search: string | undefined) =>
  // PostgreSQL folds both: JavaScript has other small letters for some, e.g. İ and a last Σ
  search ? sql`lower(${expression}) like lower(${`%${likeText(search)}%`}::text)` : undefined

const likeText = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Parses `a,b,none`: any of these ids, or none at all. */
export function idFilter(column: Sql, ids: string[] | undefined) {
  if (!ids) return undefined
  const uuids = ids.filter((id) => id !== 'none').map(asUuid)
  // separate, so that an index matches
  if (uuids.length === 0) return sql`${column} is null`
  const some = isAmong(column, uuids)
  return ids.includes('none') ? sql`(${some} or ${column} is null)` : some
}

export const valueFilter = (column: Sql, values: string[] | undefined) => (values ? isAmong(column, values) : undefined)

/**
 * A single value is not compared as a list: PostgreSQL would then not use an index for the order of its further
 * columns.
 */
const isAmong = (column: Sql, values: string[]) =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

/** Filters by days, inclusive, in the account's time zone. */
export const dayFilter = (instant: Sql, timeZone: string, from?: string, to?: string) => [
  from ? sql`${instant} >= ${dayStart(sql`${from}::date`, timeZone)}` : undefined,
  to ? sql`${instant} < ${dayStart(sql`(${to}::date + 1)`, timeZone)}` : undefined,
]

/**
 * Filters by days, inclusive, for rows that store their counted day as `created_on`: a later change of time zone does
 * not move it. The instant, which differs by at most a day and a half, only lets the index narrow the search.
 */
export const bookedDayFilter = (from?: string, to?: string) => [
  from ? sql`t.created_on >= ${from} and t.created_at >= ${from}::date - interval '2 days'` : undefined,
  to ? sql`t.created_on <= ${to} and t.created_at < ${to}::date + interval '3 days'` : undefined,
]
