import { HIDDEN_LINK, type MailKind, type MailState, optionalMailGroups } from '#contract/mail.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { mails } from './kinds/registry.ts'
import { type Letter, oneLine } from './letter.ts'
import { upsertMail } from './queries.ts'

/** A mail in the log; `name` identifies the mail. */
type Logged = { name: string; kind: MailKind; email: string }

/** The result of a mail; `isTry` when it is about to be sent, `text` if it was saved. */
export type Outcome = { state: MailState; reason?: string; text?: string; isTry?: true }

const MOST_REASON = 500

/**
 * Records the result of a mail in its one row. Administrators read the log, so it has neither subject nor text of mails
 * about an account's business, and never a link meant only for the reader.
 */
export async function noteMail(db: Queryable, mail: Logged, letter: Letter | null, outcome: Outcome): Promise<void> {
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
