import type pg from 'pg'
import { indexesOf, inLargeAccount, type Large, type Node, type Statement, scansOf } from './statement.ts'

/** A large table that a statement reads whole. */
export type Scan = { table: string; way: string; text: string; from: string }
export type Found = { plans: number; scans: Scan[]; indexes: Set<string>; unplanned: Map<string, string> }

/** Plans each statement: for the values of the large account, and where its plan is kept for any. */
export async function planned(pool: pg.Pool, statements: Statement[], large: Large, tables: ReadonlySet<string>) {
  const found: Found = { plans: 0, scans: [], indexes: new Set(), unplanned: new Map() }
  const client = await pool.connect()
  const plan = async (way: string, { text, from }: Statement, query: pg.QueryConfig) => {
    try {
      const { rows } = await client.query(query)
      const { Plan } = rows[0]['QUERY PLAN'][0] as { Plan: Node }
      found.plans++
      for (const table of scansOf(Plan, tables)) found.scans.push({ table, way, text, from })
      for (const index of indexesOf(Plan)) found.indexes.add(index)
    } catch (error) {
      found.unplanned.set(text, (error as Error).message)
    }
  }
  for (const statement of statements) {
    const { text, isNamed, samples } = statement
    for (const values of samples)
      await plan('for the large account', statement, {
        text: `explain (format json) ${text}`,
        values: inLargeAccount(text, values, large),
      })
    if (isNamed) await plan('for any', statement, { text: `explain (generic_plan, format json) ${text}` })
  }
  client.release()
  return found
}
