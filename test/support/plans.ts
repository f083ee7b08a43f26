import { type Database, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { sql } from '../../server/platform/database/sql.ts'

/** How PostgreSQL would go about the statements of `read` that answer rows, where it may neither sort nor read whole tables. */
export async function plansInOrder(db: Database, read: (tx: Transaction) => Promise<unknown>): Promise<string> {
  const lines: string[] = []
  await transaction(db, async (tx) => {
    for (const way of ['sort', 'seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
      await tx.run`select set_config(${`enable_${way}`}, 'off', true)`
    const watched = new Proxy(tx, {
      get(target, key) {
        if (key !== 'many' && key !== 'one') return Reflect.get(target, key)
        return async (strings: TemplateStringsArray, ...values: unknown[]) => {
          const plan = await target.many<Record<string, string>>`explain ${sql(strings, ...values)}`
          lines.push(...plan.flatMap((line) => Object.values(line)))
          return target[key](strings, ...values)
        }
      },
    })
    await read(watched)
  })
  return lines.join('\n')
}
