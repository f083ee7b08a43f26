import { type Database, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { rawSql, sql } from '../../server/platform/database/sql.ts'
import { waitUntil } from './app.ts'

/** Explains the statements of `read` that return rows, with sorts and scans of whole tables disabled. */
export const plansInOrder = (db: Database, read: (tx: Transaction) => Promise<unknown>): Promise<string> =>
  plansWithout(db, ['sort', 'seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'], read)

/** Explains the statements of `read` that return rows, with these kinds of plans disabled. */
export async function plansWithout(
  db: Database,
  ways: string[],
  read: (tx: Transaction) => Promise<unknown>,
): Promise<string> {
  const lines: string[] = []
  await transaction(db, async (tx) => {
    for (const way of ways) await tx.run`select set_config(${`enable_${way}`}, 'off', true)`
    await read(explaining(tx, 'explain', (plan) => lines.push(...plan)))
  })
  return lines.join('\n')
}

/**
 * Vacuums and analyzes tables until all their pages count as visible to everyone, which a transaction elsewhere delays:
 * until then an index-only scan reads the table as well.
 */
export const vacuumTables = (db: Database, ...tables: string[]) =>
  waitUntil(async () => {
    await db.run`vacuum analyze ${rawSql(tables.join(', '))}`
    return db.value<boolean>`
      select bool_and(relallvisible >= relpages) from pg_class where oid = any(${tables}::regclass[])`
  })

/** Returns the result of `read`, and the number of pages read by each of its statements that return rows. */
export async function pagesRead<Answer>(db: Database, read: (tx: Transaction) => Promise<Answer>) {
  const pages: number[] = []
  const answer = await transaction(db, (tx) =>
    read(
      explaining(tx, 'explain (analyze, buffers, timing off)', (plan) => {
        const [, hit = 0, more = 0] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan.join('\n')) ?? []
        pages.push(Number(hit) + Number(more))
      }),
    ),
  )
  return { answer, pages }
}

/** A transaction that explains its statements before it runs them. */
const explaining = (tx: Transaction, how: string, look: (plan: string[]) => void) =>
  new Proxy(tx, {
    get(target, key) {
      if (key !== 'many' && key !== 'one' && key !== 'value') return Reflect.get(target, key)
      return async (strings: TemplateStringsArray, ...values: unknown[]) => {
        const plan = await target.many<Record<string, string>>`${rawSql(how)} ${sql(strings, ...values)}`
        look(plan.flatMap((line) => Object.values(line)))
        return target[key](strings, ...values)
      }
    },
  })
