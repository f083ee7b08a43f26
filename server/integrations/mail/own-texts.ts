import type { EmailSender, EmailTemplateKind, EmailText } from '#features/email-templates/contract.ts'
import type { Queryable } from '../../platform/database/pool.ts'

/** The text that an account gave a kind of mail. */
export const findText = (db: Queryable, accountId: string, kind: EmailTemplateKind) => db.maybe<EmailText>`
  select subject, body from email_templates where account_id = ${accountId} and kind = ${kind}`

const NO_SENDER: EmailSender = { fromName: null, replyTo: null }

export const findSender = async (db: Queryable, accountId: string): Promise<EmailSender> =>
  (await db.maybe<EmailSender>`
    select from_name, reply_to from email_senders where account_id = ${accountId}`) ?? NO_SENDER
