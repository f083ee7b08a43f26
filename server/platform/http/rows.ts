import type { z } from 'zod'
import { mistakesIn } from '#contract/fields.ts'
import type { PushResult } from '#contract/push.ts'
import { savepoint, type Transaction } from '../database/pool.ts'
import { asRefusal } from './errors.ts'
import { Answer, refusalOf } from '../../program/access/route.ts'

/** How many wrong fields are named of each of so many rows, so that the answer stays short. */
export const namedPerRow = (rows: number) => Math.min(50, Math.ceil(200 / rows))

/** What became of one pushed row: `body` is what it would have been answered alone. */
export type RowAnswer = { status: 200 | 201; id: string; body: unknown }

/**
 * Answers a push of one object, or of an array whose rows each get the result they would get alone (api.md, section 8).
 * `all` takes the valid rows in order and answers, or refuses with an Error, one by one.
 */
export async function answerRows<Row>(
  schema: z.ZodType<Row>,
  body: unknown,
  all: (rows: Row[]) => Promise<(RowAnswer | Error)[]>,
): Promise<Answer> {
  if (!Array.isArray(body)) {
    const [answer] = await all([body as Row])
    if (answer instanceof Error) throw answer
    return new Answer(answer!.status, answer!.body)
  }
  const parsed = body.map((row) => schema.safeParse(row))
  const answers = (await all(parsed.filter((row) => row.success).map((row) => row.data))).values()
  const invalid = (error: z.ZodError) => refusalOf(mistakesIn(error, 'field', namedPerRow(body.length)))
  const results = parsed.map((row) => result(row.success ? answers.next().value! : invalid(row.error)))
  return new Answer(200, { results })
}

/** For rows that write one after another in a transaction: a row that is refused undoes only itself. */
export const eachRow =
  <Row>(tx: Transaction, one: (row: Row) => Promise<RowAnswer>) =>
  async (rows: Row[]): Promise<(RowAnswer | Error)[]> => {
    const answers: (RowAnswer | Error)[] = []
    for (const row of rows) answers.push(await savepoint(tx, () => one(row)).catch(refused))
    return answers
  }

const refused = (error: unknown) => {
  const refusal = asRefusal(error)
  if (!refusal || refusal.code === 'unavailable') throw error
  return refusal
}

function result(answer: RowAnswer | Error): PushResult {
  if (!(answer instanceof Error)) return { status: answer.status, id: answer.id, error: null }
  const refusal = asRefusal(answer)
  if (!refusal)
    return {
      status: 500,
      id: null,
      error: { code: 'internal_error', message: 'Something went wrong on our side.', fields: null, details: null },
    }
  const { status, code, message, fields = null, details = null } = refusal
  return { status, id: null, error: { code, message, fields, details } }
}
