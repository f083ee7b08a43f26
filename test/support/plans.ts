import { type Database, type Transaction, transaction } from '../../server/platform/database/pool.ts'
import { raw, sql } from '../../server/platform/database/sql.ts'

/** How PostgreSQL would go about the statements of `read` that answer rows, where it may neither sort nor read whole tables. */
export async function plansInOrder(db: Database, read: (tx: Transaction) => Promise<unknown>): Promise<string> {
  const lines: string[] = []
  await transaction(db, async (tx) => {
    for (const way of ['sort', 'seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
      await tx.run`select set_config(${`enable_${way}`}, 'off', true)`
    await read(explaining(tx, 'explain', (plan) => lines.push(...plan)))
  })
  return lines.join('\n')
}

/** What `read` answers, and how many pages each of its statements that answer rows read. */
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

/** The transaction, whose statements are explained before they are asked. */
const explaining = (tx: Transaction, how: string, look: (plan: string[]) => void) =>
  new Proxy(tx, {
    get(target, key) {
      if (key !== 'many' && key !== 'one') return Reflect.get(target, key)
      return async (strings: TemplateStringsArray, ...values: unknown[]) => {
        const plan = await target.many<Record<string, string>>`${raw(how)} ${sql(strings, ...values)}`
        look(plan.flatMap((line) => Object.values(line)))
        return target[key](strings, ...values)
      }
    },
  })
