import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '../database/pool.ts'
import { join, raw, type Sql, sql } from '../database/sql.ts'
import { page } from './list.ts'

type List = Omit<Parameters<typeof page>[2], 'from' | 'total'> & { from: Sql }

/** Adds a page up over all pages of its list, so that they are counted exactly too. */
export async function pageWithTotals<Row, Totals extends Record<string, number> & { count: number }>(
  db: Queryable,
  query: ListQuery,
  { filters, scope, ...list }: List,
  all: { from: Sql; sums: Record<Exclude<keyof Totals & string, 'count'>, Sql> },
) {
  const sums = Object.entries<Sql>(all.sums)
  const narrowed = join([scope, ...filters.filter((filter) => filter !== undefined)], ' and ')
  let totals: Totals | undefined
  const found = await page<Row>(db, query, {
    ...list,
    scope: narrowed,
    filters: [],
    async total() {
      const columns = sums.map(([name, value]) => sql`coalesce(sum(${value}), 0)::bigint as ${raw(`"${name}"`)}`)
      totals = await db.one<Totals>`
        select ${join([sql`count(*) as count`, ...columns], ', ')} from ${all.from} where ${narrowed}`
      return totals.count
    },
  })
  return { ...found, totals: totals ?? ({ count: found.total, ...added(found.items, sums) } as Totals) }
}

/** Of a list that is one page; the rows name their values as the totals do. */
const added = (rows: unknown[], sums: [string, Sql][]) =>
  Object.fromEntries(
    sums.map(([name]) => [name, (rows as Record<string, number>[]).reduce((sum, row) => sum + row[name]!, 0)]),
  )
