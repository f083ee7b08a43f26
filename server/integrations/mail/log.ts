import type { MailState } from '#contract/mail.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Database, Queryable } from '../../platform/database/pool.ts'
import { oneLine } from './letters.ts'
import { endWaiting, forgetMailsBefore, upsertMail } from './queries.ts'

/** A mail as its log names it; `name` is the same for the same mail. */
export type LoggedMail = { name: string; kind: string; email: string; subject: string | null }

/** What became of it; `isTry` where it was handed to the mail server or to the outbox. */
type Outcome = { state: MailState; reason?: string | null; text?: string | null; isTry?: boolean }

const MOST_REASON = 500

/** Notes what became of a mail, in the one line that it has. */
export const noteMail = (db: Queryable, mail: LoggedMail, { state, reason, text, isTry }: Outcome) =>
  upsertMail(db, mail, {
    id: newId(),
    state,
    reason: reason ? oneLine(reason).slice(0, MOST_REASON).toWellFormed() : null,
    text: text ?? null,
    isTry: isTry ?? false,
  })

/** Of a mail whose recipient is not asked for any more: only what is in the log already is noted. */
export const noteUnwritten = (db: Queryable, name: string, { state, reason }: { state: MailState; reason: string }) =>
  endWaiting(db, name, state, reason)

/** A link that opens an account, or that turns mails off, is nobody's but the recipient's. */
export const withoutSecretLinks = (text: string) =>
  text.replace(/https?:\/\/[^\s<>"]+/g, (link) => (SECRET_LINK.test(link) ? '[link hidden]' : link))

/** Tokens stand behind a `#` and nothing else does; the one link without it is told by its path. */
const SECRET_LINK = /#|\/mail\/unsubscribe\//

const KEEP_DAYS = 90

/** Lets what is known of old mails go: they name people. */
export const forgetOldLog = (db: Database) =>
  forgetMailsBefore(db, new Date(db.now.getTime() - KEEP_DAYS * 86_400_000))
