import type { Language } from '#contract/language.ts'
import { pickText, type Translations } from '#contract/pick-text.ts'
import type { EmailSender, EmailTemplateKind, EmailText } from '#features/email-templates/contract.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'

type Account = Pick<AccountFacts, 'id' | 'language'>
type Saved = EmailText & { translations: Translations<EmailText> }

/** The text that an account gave a kind of mail: in its reader's language if there is one, else in the account's. */
export async function findText(
  db: Queryable,
  { id, language: base }: Account,
  kind: EmailTemplateKind,
  wanted: Language,
) {
  const saved = await db.maybe<Saved>`
    select subject, body, translations from email_templates where account_id = ${id} and kind = ${kind}`
  if (!saved) return undefined
  const { language } = pickText(saved, 'subject', base, wanted)
  const { subject, body } = saved.translations[language] ?? saved
  return { subject, body, language }
}

const NO_SENDER: EmailSender = { fromName: null, replyTo: null }

export const findSender = async (db: Queryable, accountId: string): Promise<EmailSender> =>
  (await db.maybe<EmailSender>`
    select from_name, reply_to from email_senders where account_id = ${accountId}`) ?? NO_SENDER
