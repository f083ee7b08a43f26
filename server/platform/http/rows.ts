import type { Logger } from 'pino'
import type { z } from 'zod'
import { mistakesIn } from '#contract/fields.ts'
import type { PushResult } from '#contract/push.ts'
import { concernsAll, savepoint, type Transaction } from '../database/pool.ts'
import { refusal, rowError } from '../refusal.ts'
import { Answer } from './answer.ts'
import { asRefusal } from './errors.ts'
import { refusalOf } from './parse.ts'

/** How many wrong fields are named of each of so many rows, so that the answer stays short. */
export const namedPerRow = (rows: number) => Math.min(50, Math.ceil(200 / rows))

/** The outcome of one pushed row: `body` is its answer as a single object. */
export type RowAnswer = { status: 200 | 201; id: string; body: unknown }

/**
 * Answers a push of one object, or of an array whose rows each get the result they would get alone (api.md, section 8);
 * where no row can be kept for the moment the call is refused, so that it tells when to try again.
 * `all` takes the valid rows in order, with their places in the array, and answers, or refuses with an Error, one by one.
 */
export async function answerRows<Row>(
  log: Logger,
  schema: z.ZodType<Row>,
  body: unknown,
  all: (rows: Row[], places: number[]) => Promise<(RowAnswer | Error)[]>,
): Promise<Answer> {
  if (!Array.isArray(body)) {
    const [answer] = await all([body as Row], [0])
    if (answer instanceof Error) throw answer
    return new Answer(answer!.status, answer!.body)
  }
  return new Answer(200, { results: await resultsOf(log, schema, body, all) })
}

/** The outcomes of rows, in their order. */
export async function resultsOf<Row>(
  log: Logger,
  schema: z.ZodType<Row>,
  rows: unknown[],
  all: (rows: Row[], places: number[]) => Promise<(RowAnswer | Error)[]>,
): Promise<PushResult[]> {
  const parsed = rows.map((row) => schema.safeParse(row))
  const valid = parsed.flatMap((row, place) => (row.success ? { row: row.data, place } : []))
  const taken = await all(
    valid.map(({ row }) => row),
    valid.map(({ place }) => place),
  )
  const refusals = taken.map((answer) => answer instanceof Error && asRefusal(answer))
  // nothing was kept, and may be later: the call as a whole is to be repeated
  if (refusals[0] && refusals.every((one) => one && one.code === 'unavailable')) throw refusals[0]
  const answers = taken.values()
  const invalid = (error: z.ZodError) => refusalOf(mistakesIn(error, 'field', namedPerRow(rows.length)))
  for (const answer of taken)
    if (answer instanceof Error && !asRefusal(answer)) log.error({ err: answer }, 'a row of a list call failed')
  return parsed.map((row) => result(row.success ? answers.next().value! : invalid(row.error)))
}

/** For rows that write one after another in a transaction: a row that is refused undoes only itself. */
export const eachRow =
  <Row>(tx: Transaction, one: (row: Row) => Promise<RowAnswer>) =>
  async (rows: Row[]): Promise<(RowAnswer | Error)[]> => {
    const answers: (RowAnswer | Error)[] = []
    for (const row of rows) answers.push(await savepoint(tx, () => one(row)).catch(refused))
    return answers
  }

/** A failure of the whole transaction is not one row's. */
const refused = (error: unknown): Error => {
  if (concernsAll(error) || asRefusal(error)?.code === 'unavailable') throw error
  return asRefusal(error) ?? (error as Error)
}

function result(answer: RowAnswer | Error): PushResult {
  if (!(answer instanceof Error)) return { status: answer.status, id: answer.id, error: null }
  const refused = asRefusal(answer) ?? refusal('row_failed')
  return { status: refused.status, id: null, error: rowError(refused) }
}
