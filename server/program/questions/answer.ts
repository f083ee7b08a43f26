import type { PartnerQuestion } from '#contract/questions.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Author } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { joinSql, sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { listPage } from '../../platform/http/list.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { lockUnlessErased } from '../partner-directory/erased-partner.ts'
import type { Asking } from './ask.ts'

type Row = Omit<PartnerQuestion, 'about'>

const columns = sql`c.id, c.question, c.asked_at, c.answer, c.answered_at`

/** Lists the open questions of the account to a partner. */
export async function listQuestions(
  db: Queryable,
  askings: readonly Asking[],
  { accountId, partnerId }: { accountId: string; partnerId: string },
  query: ListQuery,
) {
  const questions = askings.map(
    ({ table, isOpen }) => sql`
      select ${columns}, c.account_id, c.partner_id, c.asked_at as created_at from ${table} c
      where c.account_id = ${accountId} and c.partner_id = ${partnerId} and c.question is not null
        and ${isOpen(db.now)}`,
  )
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.id, t.question, t.asked_at, t.answer, t.answered_at`,
    from: sql`(${joinSql(questions, ' union all ')}) t`,
    scope: sql`t.account_id = ${accountId} and t.partner_id = ${partnerId}`,
    filters: [],
  })
  return { items: await described(db, askings, accountId, items), ...rest }
}

/** Returns the questions with what each is about, worded when it is read, in the language of that moment. */
async function described(db: Queryable, askings: readonly Asking[], accountId: string, rows: Row[]) {
  const ids = rows.map(({ id }) => id)
  const about = await Promise.all(askings.map(({ describe }) => describe?.(db, accountId, ids)))
  return rows.map((row) => {
    const say = about.find((words) => words?.has(row.id))?.get(row.id)
    return {
      ...row,
      get about() {
        return say?.() ?? null
      },
    }
  })
}

type Asked = { accountId: string; partnerId: string; id: string }

/**
 * Stores the answer to a question of the account. Refuses: `not_found`; `invalid_state` for a second answer, and once
 * it is no longer wanted; `erased`.
 */
export async function answerQuestion(
  tx: Transaction,
  by: Author,
  askings: readonly Asking[],
  asked: Asked,
  text: string,
): Promise<PartnerQuestion> {
  const { accountId, partnerId } = asked
  const id = asUuid(asked.id)
  await lockUnlessErased(tx, accountId, partnerId)
  for (const { subject, table, isOpen } of askings) {
    const row = await tx.maybe<{ answer: string | null; isOpen: boolean }>`
      select c.answer, ${isOpen(tx.now)} as is_open from ${table} c
      where c.account_id = ${accountId} and c.id = ${id} and c.partner_id = ${partnerId} and c.question is not null
      for no key update`
    if (!row) continue
    if (row.answer !== null) throw refusal('question_answered')
    if (!row.isOpen) throw refusal('question_closed')
    const answered = await tx.one<Row>`
      update ${table} c set answer = ${text}, answered_at = ${tx.now} where account_id = ${accountId} and id = ${id}
      returning ${columns}`
    await recordActivity(tx, by, accountId, `${subject}.partner-answered`, { id })
    return (await described(tx, askings, accountId, [answered]))[0]!
  }
  throw notFound()
}

/** Returns a question that waits for its answer. */
export async function findQuestion(db: Queryable, askings: readonly Asking[], { accountId, partnerId, id }: Asked) {
  for (const { table, isOpen } of askings) {
    const row = await db.maybe<Row>`
      select ${columns} from ${table} c
      where c.account_id = ${accountId} and c.id = ${id} and c.partner_id = ${partnerId} and c.question is not null
        and c.answer is null and ${isOpen(db.now)}`
    if (row) return (await described(db, askings, accountId, [row]))[0]!
  }
  return null
}
