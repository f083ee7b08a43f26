import type { z } from 'zod'
import { bothNames } from '#contract/former-names.ts'
import { HIDDEN_LINK, type KeptMail, type LoggedMail, type listLoggedMails, type MailState } from '#contract/mail.ts'
import { optionalMailGroups } from '#contract/mail-groups.ts'
import type { MailKind } from '#contract/mail-kinds.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { instantInWords, oneLine } from '../../platform/format-values.ts'
import { containsFilter, listPage, valueFilter } from '../../platform/http/list.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Actor } from '../../program/access/actor.ts'
import { mails } from './kinds/registry.ts'
import type { MailMessage } from './message.ts'
import { findMail, type MailRow, mailColumns, mailNamed, upsertMail } from './queries.ts'
import { mailQueue } from './queue.ts'

/** A mail in the log; `name` identifies the mail, `accountId` is of the account that it is about. */
type Logged = { name: string; kind: MailKind; email: string; accountId: string | null }

/** The result of a mail; `isTry` when it is about to be sent, `text` if it was saved. */
export type Outcome = { state: MailState; reason?: string; text?: string; isTry?: true }

const MOST_REASON = 500

/**
 * Records the result of a mail in its one row. Administrators read the log, so it has neither subject nor text of mails
 * about an account's business, and never a link meant only for the reader.
 */
export async function logMail(
  db: Queryable,
  mail: Logged,
  letter: MailMessage | null,
  outcome: Outcome,
): Promise<void> {
  const { state, reason, text, isTry = false } = outcome
  const isForAdministrators = administratorsRead(mail.kind)
  await upsertMail(db, {
    ...mail,
    id: newId(),
    state,
    isTry,
    subject: letter && isForAdministrators ? oneLine(letter.subject) : null,
    text: text && isForAdministrators ? withoutSecretLinks(text) : null,
    reason: reason ? [...oneLine(reason)].slice(0, MOST_REASON).join('') : null,
  })
}

/** Whether a kind is about access: these mails cannot be turned off, and mention no leads, sales or money. */
const administratorsRead = (kind: MailKind) => !optionalMailGroups.includes(mails[kind].group)

/** Hides links with a token: in these mails all tokens, and only tokens, follow a `#`. */
const withoutSecretLinks = (text: string) =>
  text.replace(/https?:\/\/[^\s<>"]+/g, (link) => (link.includes('#') ? HIDDEN_LINK : link))

type Query = z.output<(typeof listLoggedMails)['query'] & {}>

export async function listMails(db: Queryable, query: Query) {
  const found = await listPage<MailRow>(db, query, {
    columns: mailColumns,
    from: sql`mails t`,
    scope: sql`true`,
    filters: [
      valueFilter(sql`t.state`, query.state),
      valueFilter(sql`t.kind`, query.kind),
      containsFilter(sql`t.email`, query.search),
    ],
  })
  return { ...found, items: found.items.map(present) }
}

/** Returns a logged mail. Refuses: one that is unknown, or deleted. */
export async function getMail(db: Queryable, id: string): Promise<KeptMail> {
  const found = await findMail(db, id)
  if (!found) throw notFound()
  const { name, ...mail } = found
  return { ...present(mail), text: mail.text, file: mail.state === 'kept' ? `outbox/${name}.eml` : null }
}

/** A kind of an earlier release is shown by its stored name. */
const present = (mail: MailRow): LoggedMail => ({
  ...bothNames('attempts', mail.tries),
  ...mail,
  title: Object.hasOwn(mails, mail.kind) ? mails[mail.kind as MailKind].title : mail.kind,
})

/** Requests a test mail. Its log entry is inserted at once, and later gets the result. */
export async function sendTest(tx: Transaction, jobs: Jobs, actor: Actor, email: string): Promise<LoggedMail> {
  const id = newId()
  const name = `test-${id}`
  await logMail(tx, { name, kind: 'test', email, accountId: null }, null, { state: 'waiting' })
  await jobs.add(tx, mailQueue, { kind: 'test', id, email, sentBy: actor.userId, at: instantInWords(tx.now) })
  return present(await mailNamed(tx, name))
}
