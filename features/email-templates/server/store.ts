import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import type { EmailSender, EmailSenderChange, EmailTemplate, EmailTemplateKind, EmailText } from '../contract.ts'

export type SavedText = EmailText & {
  translations: EmailTemplate['translations']
  kind: EmailTemplateKind
  updatedAt: string
}

export const listSaved = (db: Queryable, accountId: string) => db.many<SavedText>`
  select kind, subject, body, translations, updated_at from email_templates where account_id = ${accountId}`

/** Saves a text with its translations. */
export async function upsertText(
  tx: Transaction,
  accountId: string,
  kind: EmailTemplateKind,
  { subject, body, translations }: Omit<SavedText, 'kind' | 'updatedAt'>,
): Promise<void> {
  await tx.run`
    insert into email_templates (account_id, kind, subject, body, translations, updated_at)
    values (${accountId}, ${kind}, ${subject}, ${body}, ${JSON.stringify(translations)}::jsonb, ${tx.now})
    on conflict (account_id, kind) do update
      set subject = excluded.subject, body = excluded.body, translations = excluded.translations,
        updated_at = excluded.updated_at`
}

/** Deletes a text; returns the number of rows. */
export const deleteText = (tx: Transaction, accountId: string, kind: EmailTemplateKind) => tx.run`
  delete from email_templates where account_id = ${accountId} and kind = ${kind}`

/** The saved text, locked. */
export const lockSaved = (tx: Transaction, accountId: string, kind: EmailTemplateKind) => tx.maybe<SavedText>`
  select kind, subject, body, translations, updated_at from email_templates
  where account_id = ${accountId} and kind = ${kind} for update`

export async function upsertSender(
  tx: Transaction,
  accountId: string,
  change: EmailSenderChange,
): Promise<{ before: EmailSender; after: EmailSender }> {
  await tx.run`insert into email_senders (account_id) values (${accountId}) on conflict do nothing`
  const before = await tx.one<EmailSender>`
    select from_name, reply_to from email_senders where account_id = ${accountId} for update`
  const { fromName = before.fromName, replyTo = before.replyTo } = change
  await tx.run`
    update email_senders set from_name = ${fromName}, reply_to = ${replyTo} where account_id = ${accountId}`
  return { before, after: { fromName, replyTo } }
}
