import type { ListQuery } from '#contract/values.ts'
import { servesSpread } from '../database/cluster/spread.ts'
import type { Queryable } from '../database/pool.ts'
import { joinSql, rawSql, type Sql, sql } from '../database/sql.ts'
import { findSort, listPage } from './list.ts'

type List = Omit<Parameters<typeof listPage>[2], 'from' | 'total'> & { from: Sql }

type All = {
  from: Sql
  /** Every page computes all rows anyway: the totals are read from the same query. */
  once?: boolean
  sums: Record<string, Sql>
  /** Only with `once`: the columns of all rows that `sums` name, and the table `t` that the page's rows are read from. */
  wide?: { keys: Sql; from: Sql }
  /** A further value of all rows, `narrowed t`, as `parts` of the totals; only with `once`, and undefined without rows. */
  parts?: Sql
}

/** Returns a page with totals over all pages of its list, so that they are counted exactly too. */
export async function pageWithTotals<Row, Totals extends { count: number; parts?: unknown }>(
  db: Queryable,
  query: ListQuery,
  { filters, scope, ...list }: List,
  all: All & { sums: Record<Exclude<keyof Totals & string, 'count' | 'parts'>, Sql> },
) {
  const sums = Object.entries<Sql>(all.sums)
  const narrowed = joinSql([scope, ...filters.filter((filter) => filter !== undefined)], ' and ')
  const added = joinSql(
    [
      sql`count(*) as count`,
      ...sums.map(([name, value]) => sql`coalesce(sum(${value}), 0)::bigint as ${rawSql(`"${name}"`)}`),
    ],
    ', ',
  )
  const once = all.once && !query.uncounted
  const wide = once && all.wide && !(await servesSpread(db)) ? all.wide : undefined
  const { field, sort } = findSort(query, list)
  let totals: Totals | undefined
  const found = await listPage<Row & { totals?: Totals }>(db, query, {
    ...list,
    ...(once && {
      // the page is chosen by keys; neither the totals nor what it shows are carried through the sort of all rows
      ctes: sql`narrowed as materialized (
          select ${wide ? sql`t.id, ${sort.by} as sorted_by, ${wide.keys}` : sql`t.*`} from ${list.from} where ${narrowed}),
        -- added up once, however few rows the planner takes them for
        all_of_them as materialized (
          select to_jsonb(added) ${all.parts ? sql`|| jsonb_build_object('parts', (${all.parts}))` : sql``} as totals
          from (select ${added} from narrowed t) added)`,
      columns: sql`${list.columns}, (select totals from all_of_them) as totals`,
      from: sql`narrowed t`,
      ...(wide && { byKey: wide.from, sorts: { [field]: { ...sort, by: sql`t.sorted_by` } } }),
    }),
    scope: once ? sql`true` : narrowed,
    filters: [],
    async total([first]) {
      totals = (first as { totals?: Totals } | undefined)?.totals
      totals ??= await db.one<Totals>`select ${added} from ${all.from} where ${narrowed}`
      return totals.count
    },
  })
  // a single page is not counted
  totals ??= (found.items as { totals?: Totals }[])[0]?.totals
  const items = found.items.map(({ totals: _, ...row }) => row as unknown as Row)
  return { ...found, items, totals: totals ?? ({ count: found.total, ...addedUp(items, sums) } as unknown as Totals) }
}

/** Adds up a list of a single page; its rows use the names of the totals. */
const addedUp = (rows: unknown[], sums: [string, Sql][]) =>
  Object.fromEntries(
    sums.map(([name]) => [name, (rows as Record<string, number>[]).reduce((sum, row) => sum + row[name]!, 0)]),
  )
