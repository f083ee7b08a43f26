import { withLanguage } from '#contract/language.ts'
import type { SampleMail } from '#server/integrations/mail/editable-mails.ts'
import { fillTemplate, samplePartner } from '#server/integrations/mail/fill-template.ts'
import type { Part } from '#server/integrations/mail/message.ts'
import { findSender } from '#server/integrations/mail/own-texts.ts'
import { mailPhrases } from '#server/integrations/mail/text.ts'
import { buildSender } from '#server/integrations/mail/transport.ts'
import { type Author, diffFields } from '#server/platform/author.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { notFound, wrongField } from '#server/platform/refusal.ts'
import type { Install } from '#server/platform/services.ts'
import { changeTranslations } from '#server/platform/translations.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { supportEmail } from '#server/program/access/support-email.ts'
import { findPresentOwner } from '#server/program/auth/invitation-queries.ts'
import { portalUrl } from '#server/program/custom-domains/portal-url.ts'
import {
  type EmailBlock,
  type EmailSender,
  type EmailSenderChange,
  type EmailTemplate,
  type EmailTemplateKind,
  type EmailTemplatePreview,
  type EmailText,
  emailTemplateKinds,
  findTextMistake,
  listVariables,
  needsButton,
  type SavedEmailText,
  type TriedEmailText,
} from '../contract.ts'
import { usualEmails } from '../usual-emails.ts'
import { deleteText, listSaved, lockSaved, type SavedText, upsertSender, upsertText } from './store.ts'

/** Returns the kind with this name. Refuses: any other. */
export function getKind(name: string): EmailTemplateKind {
  const kind = emailTemplateKinds.find((one) => one === name)
  if (!kind) throw notFound()
  return kind
}

/** Lists every kind with its text. */
export async function listTemplates(db: Queryable, accountId: string): Promise<EmailTemplate[]> {
  const saved = new Map((await listSaved(db, accountId)).map((text) => [text.kind, text]))
  return emailTemplateKinds.map((kind) => present(kind, saved.get(kind)))
}

function present(kind: EmailTemplateKind, saved: Omit<SavedText, 'kind'> | undefined): EmailTemplate {
  const { title, description, ...usual } = usualEmails[kind]
  const { subject, body, translations } = saved ?? { ...usual, translations: {} }
  return {
    kind,
    title,
    description,
    subject,
    body,
    translations,
    customized: saved !== undefined,
    variables: listVariables(kind),
    needsButton: needsButton(kind),
    updatedAt: saved?.updatedAt ?? null,
  }
}

/** Refuses: a text that this kind of mail can't have. */
export function refuseMistake(kind: EmailTemplateKind, text: EmailText, path = '') {
  const mistake = findTextMistake(kind, text)
  if (!mistake) return
  if (mistake.reason === 'button_missing')
    throw wrongField(path + mistake.field, mistake.reason, { button: '{{button}}' })
  const { name, line } = mistake
  const field = path + mistake.field
  if (mistake.reason === 'unknown_variable') throw wrongField(field, 'unknown_variable', { name, line })
  throw wrongField(field, 'variable_not_alone', { name, line })
}

/**
 * Replaces the text of a kind of mail. Refuses: one that it can't have, and a translation into the account's own language.
 */
export async function saveTemplate(
  tx: Transaction,
  by: Author,
  { id: accountId, language: base }: Pick<AccountFacts, 'id' | 'language'>,
  kind: EmailTemplateKind,
  { translations: given, ...text }: SavedEmailText,
): Promise<EmailTemplate> {
  refuseMistake(kind, text)
  for (const [language, translation] of Object.entries(given ?? {}))
    if (translation) refuseMistake(kind, translation, `translations.${language}.`)
  const former = await lockSaved(tx, accountId, kind)
  const translations = changeTranslations(former?.translations ?? {}, given, base)
  const next = { ...text, translations }
  await upsertText(tx, accountId, kind, next)
  if (!former || Object.keys(diffFields(former, next)).length > 0)
    await recordActivity(tx, by, accountId, 'account.email-text-saved', { id: accountId, changes: named(kind) })
  return present(kind, { ...next, updatedAt: tx.now.toISOString() })
}

/** Brings back the usual text of a kind of mail; repeating changes nothing. */
export async function resetTemplate(
  tx: Transaction,
  by: Author,
  accountId: string,
  kind: EmailTemplateKind,
): Promise<EmailTemplate> {
  if ((await deleteText(tx, accountId, kind)) > 0)
    await recordActivity(tx, by, accountId, 'account.email-text-reset', { id: accountId, changes: named(kind) })
  return present(kind, undefined)
}

const named = (kind: EmailTemplateKind) => ({ name: { old: null, new: usualEmails[kind].title } })

/** Returns a mail with this text and sample data. Refuses: a text that it can't have. */
export async function previewTemplate(
  db: Queryable,
  { config }: Pick<Install, 'config'>,
  account: AccountFacts,
  sample: ReturnType<SampleMail>,
  kind: EmailTemplateKind,
  { language = 'en', ...text }: TriedEmailText,
): Promise<EmailTemplatePreview> {
  refuseMistake(kind, text)
  const supportAddress = await supportEmail(db, config)
  const letter = withLanguage(language, () =>
    fillTemplate(sample.letter, text, {
      ...sample,
      kind,
      addressee: samplePartner,
      dashboardUrl: `${portalUrl(config, account)}/dashboard`,
      supportEmail: supportAddress,
    }),
  )
  const { fromName, replyTo } = await findSender(db, account.id)
  const { name, address } = buildSender(config, { letter, fromName })
  return {
    from: name ? `${name} <${address}>` : address,
    replyTo: replyTo ?? (await findPresentOwner(db, account.id))?.email ?? null,
    subject: letter.subject,
    blocks: letter.parts.flatMap(blocksOf),
    because: letter.because,
    unsubscribes: sample.isOptional,
    unsubscribe: sample.isOptional ? withLanguage(language, () => mailPhrases.unsubscribe) : null,
  }
}

function blocksOf(part: Part): EmailBlock[] {
  if (typeof part === 'string') return [{ kind: 'paragraph', lines: [part], facts: [] }]
  if ('button' in part) return [{ kind: 'button', lines: [part.button.label], facts: [] }]
  if ('facts' in part) {
    const facts = part.facts.map(({ label, value, note }) => ({ label, value, note: note ?? null }))
    const heading: EmailBlock[] = part.heading ? [{ kind: 'heading', lines: [part.heading], facts: [] }] : []
    return [...heading, { kind: 'facts', lines: [], facts }]
  }
  return part.prose.map((block): EmailBlock => {
    const lines = block.kind === 'heading' ? [block.line] : block.kind === 'list' ? block.items : block.lines
    return { kind: block.kind, lines: lines.map((line) => line.map(({ text }) => text).join('')), facts: [] }
  })
}

/** Changes the name and the reply address of mails to partners. */
export async function changeSender(
  tx: Transaction,
  by: Author,
  accountId: string,
  change: EmailSenderChange,
): Promise<EmailSender> {
  const { before, after } = await upsertSender(tx, accountId, change)
  const changes = diffFields(before, after)
  if (Object.keys(changes).length > 0)
    await recordActivity(tx, by, accountId, 'account.email-sender-changed', { id: accountId, changes })
  return after
}
