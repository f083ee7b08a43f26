import type pg from 'pg'
import type { Database } from '../../server/platform/database/pool.ts'
import { findScans, inLargeAccount, type Large, listIndexes, type Node, type Statement } from './statement.ts'

/** A large table that a statement reads whole. */
export type Scan = { table: string; way: string; text: string; from: string }
export type PlanResult = { plans: number; scans: Scan[]; indexes: Set<string>; unplanned: Map<string, string> }

/** Plans each statement: with the values of the large account, and, if its plan is cached, for any values. */
export async function planStatements(
  pool: pg.Pool,
  statements: Statement[],
  large: Large,
  tables: ReadonlyMap<string, string>,
) {
  const found: PlanResult = { plans: 0, scans: [], indexes: new Set(), unplanned: new Map() }
  const now = new Date()
  const client = await pool.connect()
  const plan = async (way: string, { text, from }: Statement, query: pg.QueryConfig) => {
    try {
      const { rows } = await client.query(query)
      const { Plan } = rows[0]['QUERY PLAN'][0] as { Plan: Node }
      found.plans++
      for (const table of findScans(Plan, tables)) found.scans.push({ table, way, text, from })
      for (const index of listIndexes(Plan)) found.indexes.add(index)
    } catch (error) {
      found.unplanned.set(text, (error as Error).message)
    }
  }
  for (const statement of statements) {
    const { text, isNamed, samples } = statement
    for (const sample of samples)
      await plan('for the large account', statement, {
        text: `explain (format json) ${text}`,
        values: inLargeAccount(text, sample, large, now),
      })
    if (isNamed) await plan('for any', statement, { text: `explain (generic_plan, format json) ${text}` })
  }
  client.release()
  return found
}

/** Rows from which a table counts as large; a smaller one is better read whole. */
const LARGE = 10_000

/** Tables of many rows, and the whole that each is a part of: itself, unless it is partitioned. */
export async function largeTables(db: Database): Promise<Map<string, string>> {
  const tables = await db.many<{ name: string; whole: string }>`
    select relname as name, coalesce(pg_partition_root(oid), oid)::regclass::text as whole from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${LARGE}`
  return new Map(tables.map(({ name, whole }) => [name, whole]))
}

/** Returns the non-unique indexes of large tables that no plan uses: they may not be worth their cost on each write. */
export async function unusedIndexes(db: Database, { indexes }: PlanResult, tables: ReadonlyMap<string, string>) {
  const all = await db.many<{ name: string; whole: string }>`
    select indexrelid::regclass::text as name, coalesce(pg_partition_root(indexrelid), indexrelid)::regclass::text as whole
    from pg_index where indrelid = any(${[...tables.keys()]}::text[]::regclass[]) and not indisunique order by 2`
  const used = new Set(all.flatMap(({ name, whole }) => (indexes.has(name) ? whole : [])))
  return [...new Set(all.map(({ whole }) => whole))].filter((name) => !used.has(name))
}
