import { HIDDEN_LINK, type MailState, mailGroups, mailKinds } from '#contract/mail.ts'
import { newId } from '../../platform/database/ids.ts'
import { inBatches } from '../../platform/database/in-batches.ts'
import type { Database, Queryable } from '../../platform/database/pool.ts'
import { type Letter, oneLine } from './letter.ts'
import { forgetMailsBefore, upsertMail } from './queries.ts'

/** A mail as the log knows it; `name` is the same for the same mail. */
type Logged = { name: string; kind: string; email: string }

/** The outcome of a mail; `isTry` when it is about to be handed over, `text` if it was stored. */
export type Outcome = { state: MailState; reason?: string; text?: string; isTry?: true }

const MOST_REASON = 500

/**
 * Notes what became of a mail, in the one line that it has. Administrators read the log, so of what is an account's own
 * business it has neither subject nor text, and of no mail a link that is its reader's alone.
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

/** Mails about access: nobody can turn them off, and they mention no leads, sales or money. */
const administratorsRead = (kind: string) => {
  const known = Object.entries(mailKinds).find(([name]) => name === kind)?.[1]
  return known !== undefined && 'always' in mailGroups[known.group]
}

/** Tokens of these mails stand behind a `#`, and nothing else does. */
const withoutSecretLinks = (text: string) =>
  text.replace(/https?:\/\/[^\s<>"]+/g, (link) => (link.includes('#') ? HIDDEN_LINK : link))

const KEEP_DAYS = 90
const FORGOTTEN_AT_ONCE = 5000

/** Lets what is known of old mails go: they name people. */
export async function forgetOldLog(db: Database): Promise<void> {
  const before = new Date(db.now.getTime() - KEEP_DAYS * 86_400_000)
  await inBatches(FORGOTTEN_AT_ONCE, (limit) => forgetMailsBefore(db, before, limit))
}
