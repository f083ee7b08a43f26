import type { LoggedMail } from '#contract/mail.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { instantInWords } from '../../platform/in-words.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { Actor } from '../../program/access/actor.ts'
import { noteMail } from './log.ts'
import { mailNamed } from './queries.ts'
import { mailQueue } from './queue.ts'
import { present } from './read-log.ts'

/** Requests a test mail. Its log entry is inserted at once, and later gets the result. */
export async function sendTest(tx: Transaction, jobs: Jobs, actor: Actor, email: string): Promise<LoggedMail> {
  const id = newId()
  const name = `test-${id}`
  await noteMail(tx, { name, kind: 'test', email }, null, { state: 'waiting' })
  await jobs.add(tx, mailQueue, { kind: 'test', id, email, sentBy: actor.userId, at: instantInWords(tx.now) })
  return present(await mailNamed(tx, name))
}
