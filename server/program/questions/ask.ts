import type { RecordedEvent } from '#contract/events.ts'
import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import type { Sql } from '../../platform/database/sql.ts'
import { defineSignal, recordActivity, sendSignal } from '../../platform/events/emit-event.ts'

/** The subjects of recorded events about a question. */
type AskedSubject = RecordedEvent extends infer E
  ? E extends `${infer Subject}.partner-asked`
    ? Subject
    : never
  : never

/**
 * Things about which an account asks their partner, once each: rows `c` of a table with the columns question, asked_at,
 * answer and answered_at.
 */
export type Asking = {
  subject: AskedSubject
  table: Sql
  /** Whether an answer is still wanted. */
  isOpen(now: Date): Sql
  /** Returns what puts the things into words for their partner; nothing if the partner must not learn of them. */
  describe?(db: Queryable, accountId: string, ids: string[]): Promise<ReadonlyMap<string, () => string>>
}

/** An account asks a partner a question. */
export const partnerAsked = defineSignal<{ questionId: string; partnerId: string }>('partner.question-asked')

/** Asks the partner of a locked thing, and has them mailed. */
export async function sendQuestion(
  tx: Transaction,
  by: Author,
  { subject, table }: Asking,
  { accountId, id, partnerId }: { accountId: string; id: string; partnerId: string },
  text: string,
): Promise<void> {
  await tx.run`
    update ${table} set question = ${text}, asked_at = ${tx.now} where account_id = ${accountId} and id = ${id}`
  await sendSignal(tx, accountId, partnerAsked, { questionId: id, partnerId })
  await recordActivity(tx, by, accountId, `${subject}.partner-asked`, { id })
}
