import type { Logger } from 'pino'
import type { z } from 'zod'
import { mistakesIn } from '#contract/fields.ts'
import type { PushResult } from '#contract/push.ts'
import { concernsAll, type Transaction, withSavepoint } from '../database/pool.ts'
import { Refusal, refusal, rowError } from '../refusal.ts'
import { asRefusal } from './errors.ts'
import { toRefusal } from './parse.ts'
import { HttpReply } from './reply.ts'

/** Returns the number of wrong fields named per row, so that the answer stays short. */
const namedPerRow = (rows: number) => Math.min(50, Math.ceil(200 / rows))

/** The result of one pushed row: `body` is its answer as a single object. */
export type RowAnswer = { status: 200 | 201; id: string; body: unknown }

/**
 * Handles a push of one object, or of an array whose rows each get the same result as alone (api.md, section 8); if no
 * row can be stored at the moment the call is refused, with the time to retry. `all` handles the valid rows in order,
 * with their positions in the array, and returns an answer or an Error for each.
 */
export async function answerRows<Row>(
  log: Logger,
  schema: z.ZodType<Row>,
  body: unknown,
  all: (rows: Row[], places: number[]) => Promise<(RowAnswer | Error)[]>,
): Promise<HttpReply> {
  if (!Array.isArray(body)) {
    const [answer] = await all([body as Row], [0])
    if (answer instanceof Error) throw answer
    return new HttpReply(answer!.status, answer!.body)
  }
  return new HttpReply(200, { results: await processRows(log, schema, body, all) })
}

/** Returns the results of rows, in order. */
export async function processRows<Row>(
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
  // nothing was stored, but may be later: the whole call is to be repeated
  if (refusals[0] && refusals.every((one) => one && one.code === 'unavailable')) throw refusals[0]
  const answers = taken.values()
  const invalid = (error: z.ZodError) => toRefusal(mistakesIn(error, 'field', namedPerRow(rows.length)))
  for (const answer of taken)
    if (answer instanceof Error && !asRefusal(answer)) log.error({ err: answer }, 'a row of a list call failed')
  return parsed.map((row) => result(row.success ? answers.next().value! : invalid(row.error)))
}

/**
 * Handles rows one after another in a transaction: a refused row undoes only itself. `failed` returns the result of such
 * a row, or rethrows an error that concerns all.
 */
export const eachRow =
  <Row, Result = RowAnswer, Failed = Error>(
    tx: Transaction,
    one: (row: Row) => Promise<Result>,
    failed: (error: unknown) => Failed = pushFailure as (error: unknown) => Failed,
  ) =>
  async (rows: Row[]): Promise<(Result | Failed)[]> => {
    const results: (Result | Failed)[] = []
    for (const row of rows) results.push(await withSavepoint(tx, () => one(row)).catch(failed))
    return results
  }

/** A bug fails only its row of a push, since the caller would repeat all others. */
const pushFailure = (error: unknown): Error => {
  if (concernsAll(error) || asRefusal(error)?.code === 'unavailable') throw error
  return asRefusal(error) ?? (error as Error)
}

/** Handles the rows that are not decided yet together; each result takes its row's place among the decided ones. */
export async function handleTogether<Row, Open extends Row, Result>(
  rows: readonly Row[],
  isOpen: (row: Row) => row is Open,
  all: (open: Open[]) => Promise<Result[]>,
): Promise<(Result | Exclude<Row, Open>)[]> {
  const results = (await all(rows.filter(isOpen))).values()
  return rows.map((row) => (isOpen(row) ? results.next().value! : (row as Exclude<Row, Open>)))
}

/** Returns the refusal of one row. A bug, and a busy or unavailable database, concern all rows and are rethrown. */
export function refusalOfRow(error: unknown): Refusal {
  if (!(error instanceof Refusal) || error.code === 'unavailable') throw error
  return error
}

function result(answer: RowAnswer | Error): PushResult {
  if (!(answer instanceof Error)) return { status: answer.status, id: answer.id, error: null }
  const refused = asRefusal(answer) ?? refusal('row_failed')
  return { status: refused.status, id: null, error: rowError(refused) }
}
