import { z } from 'zod'
import { type EditableEmail, type EmailBlockName, emailBlocks } from '#contract/editable-email.ts'
import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
import type { Refusals } from '#contract/feature-parts.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import { changedTranslations, savedTranslations } from '#contract/translations.ts'
import { Email, Id, Instant, LanguageTag, optionalName, orEmpty, requiredText } from '#contract/values.ts'
import * as features from '#features/index.emails.ts'

const LONGEST_SUBJECT = 150
const LONGEST_BODY = 5000
const LONGEST_NAME = 60

/** Variables that every email has. */
const everywhere = ['partner_first_name', 'partner_name', 'company', 'dashboard_url', 'support_email'] as const

const both: readonly EmailBlockName[] = ['details', 'button']
const buttonAlone: readonly EmailBlockName[] = ['button']

/** Emails to partners and applicants whose text an account can replace, in the order in which they are listed. */
const kinds = {
  invitation: { variables: [], blocks: buttonAlone, needsButton: true },
  'application-confirm': { variables: [], blocks: buttonAlone, needsButton: true },
  'application-rejected': { variables: ['reason'], blocks: [] },
  'sale-credited': { variables: ['amount', 'count'], blocks: both },
  refund: { variables: ['amount', 'count'], blocks: both },
  'goal-reached': { variables: ['goal', 'bonus'], blocks: both },
  'terms-changed': { variables: [], blocks: both },
  'agreement-published': { variables: ['version'], blocks: both },
  ...mergeParts(features, 'editableEmails'),
  'partner-question': { variables: ['question'], blocks: both, needsButton: true },
  'protection-ending': { variables: [], blocks: both },
  'payout-approved': { variables: ['amount', 'method', 'payout_number'], blocks: both },
  'payout-sent': { variables: ['amount', 'method', 'payout_number', 'paid_on'], blocks: both },
  'payment-unclaimed': { variables: ['amount', 'method', 'payout_number', 'paid_on'], blocks: both },
  'payout-failed': { variables: ['amount', 'method', 'payout_number', 'reason'], blocks: both },
  'payout-blocked': { variables: ['amount', 'payout_number', 'reason'], blocks: both },
  'payout-reminder': { variables: ['amount', 'payout_number', 'reason'], blocks: both },
  'payout-details-reminder': { variables: ['amount'], blocks: both, needsButton: true },
  'tax-form-needed': { variables: [], blocks: buttonAlone, needsButton: true },
  'monthly-statement': { variables: ['month'], blocks: both },
} as const satisfies Record<string, EditableEmail>

export type EmailTemplateKind = keyof typeof kinds
export const emailTemplateKinds = Object.keys(kinds) as EmailTemplateKind[]
/** Variables that emails of some kinds have. */
export type OwnVariable = (typeof kinds)[EmailTemplateKind]['variables'][number]
export type EmailVariable = (typeof everywhere)[number] | OwnVariable | EmailBlockName

/** Returns the variables of a kind of email, those with a line of their own last. */
export const listVariables = (kind: EmailTemplateKind): EmailVariable[] => [
  ...everywhere,
  ...kinds[kind].variables,
  ...kinds[kind].blocks,
]

/** Whether a kind of email asks its reader to act, so that its text must have the button. */
export const needsButton = (kind: EmailTemplateKind) => 'needsButton' in kinds[kind]

/** Whether a variable needs a line of its own. */
export const isBlock = (name: string): name is EmailBlockName => (emailBlocks as readonly string[]).includes(name)

/** A subject and a body, with variables such as `{{amount}}`. The body is prose (prose.ts). */
export const EmailText = z.strictObject({
  subject: requiredText(LONGEST_SUBJECT).refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'Use one line'),
  body: requiredText(LONGEST_BODY),
})
export type EmailText = z.infer<typeof EmailText>

/** A text in further languages, for readers of theirs. */
export const SavedEmailText = EmailText.extend({ translations: changedTranslations(EmailText).optional() })
export type SavedEmailText = z.infer<typeof SavedEmailText>

/** A text to try out, in an email of this language. */
export const TriedEmailText = EmailText.extend({ language: LanguageTag.optional() })
export type TriedEmailText = z.infer<typeof TriedEmailText>

const VARIABLE = /\{\{([^{}]*)\}\}/g

/** Splits a text into its lines, as prose does. */
const linesOf = (text: string) => text.replace(/\r\n?/g, '\n').split('\n')

/** Fills the variables of a line, each once: what a value contains is no variable. */
export const fillVariables = (line: string, valueFor: (name: string) => string) =>
  line.replace(VARIABLE, (_, name: string) => valueFor(name))

/** Returns the names of a line's variables. */
export const variablesIn = (line: string): string[] => Array.from(line.matchAll(VARIABLE), ([, name]) => name!)

/** A part of a body: prose, or a variable with a line of its own. */
export type BodyPart = { prose: string } | { block: EmailBlockName }

/** Splits a body at the variables with a line of their own. */
export function splitBody(body: string): BodyPart[] {
  const parts: BodyPart[] = []
  let prose: string[] = []
  const endProse = () => {
    if (prose.some((line) => line.trim())) parts.push({ prose: prose.join('\n') })
    prose = []
  }
  for (const line of linesOf(body)) {
    const block = emailBlocks.find((name) => line.trim() === `{{${name}}}`)
    if (block) {
      endProse()
      parts.push({ block })
    } else prose.push(line)
  }
  endProse()
  return parts
}

/** Why a text can't be used: its field, and for a variable its name and line. */
export type TextMistake = { field: keyof EmailText } & (
  | { reason: 'unknown_variable'; name: string; line: number }
  | { reason: 'variable_not_alone'; name: string; line: number }
  | { reason: 'button_missing' }
)

/** Returns the first reason why a kind of email can't have this text; undefined if it can. */
export function findTextMistake(kind: EmailTemplateKind, { subject, body }: EmailText): TextMistake | undefined {
  const known: readonly string[] = listVariables(kind)
  return (
    findVariableMistake('subject', [subject], (name) => known.includes(name) && !isBlock(name)) ??
    findVariableMistake('body', linesOf(body), (name) => known.includes(name)) ??
    (needsButton(kind) && !splitBody(body).some((part) => 'block' in part && part.block === 'button')
      ? { field: 'body', reason: 'button_missing' }
      : undefined)
  )
}

function findVariableMistake(
  field: keyof EmailText,
  lines: string[],
  isKnown: (name: string) => boolean,
): TextMistake | undefined {
  for (const [at, line] of lines.entries()) {
    const place = { field, line: at + 1 }
    const unknown = variablesIn(line).find((name) => !isKnown(name))
    if (unknown !== undefined) return { ...place, reason: 'unknown_variable', name: `{{${shorten(unknown)}}}` }
    // one that was begun, and not ended
    const [, begun] = /\{\{(.*)/.exec(line.replace(VARIABLE, '')) ?? []
    if (begun !== undefined) return { ...place, reason: 'unknown_variable', name: `{{${shorten(begun)}` }
    const crowded = variablesIn(line).find((name) => isBlock(name) && line.trim() !== `{{${name}}}`)
    if (crowded) return { ...place, reason: 'variable_not_alone', name: `{{${crowded}}}` }
  }
  return undefined
}

const shorten = (name: string) => (name.length > 40 ? `${name.slice(0, 40)}…` : name)

/**
 * The text of a kind of email: the account's own if `customized`, else the usual one as a text to begin with.
 * `variables` may be used in it; `{{details}}` and `{{button}}` need lines of their own. `needsButton`: its reader
 * is asked to act.
 */
export const EmailTemplate = z
  .object({
    kind: z.enum(emailTemplateKinds),
    title: z.string(),
    description: z.string(),
    subject: z.string(),
    body: z.string(),
    translations: savedTranslations(z.object({ subject: z.string(), body: z.string() })),
    customized: z.boolean(),
    variables: z.array(z.string()),
    needsButton: z.boolean(),
    updatedAt: Instant.nullable(),
  })
  .meta({ id: 'EmailTemplate' })
export type EmailTemplate = z.infer<typeof EmailTemplate>

/** A part of an email. A fact is a label with its value. */
const EmailBlock = z
  .object({
    kind: z.enum(['paragraph', 'heading', 'list', 'facts', 'button']),
    lines: z.array(z.string()),
    facts: z.array(z.object({ label: z.string(), value: z.string(), note: z.string().nullable() })),
  })
  .meta({ id: 'EmailBlock' })
export type EmailBlock = z.infer<typeof EmailBlock>

/** An email with sample data. `because` is the reason for getting it, which always comes last. */
export const EmailTemplatePreview = z
  .object({
    from: z.string(),
    replyTo: z.string().nullable(),
    subject: z.string(),
    blocks: z.array(EmailBlock),
    because: z.string(),
    unsubscribes: z.boolean(),
    unsubscribe: z.string().nullable(),
  })
  .meta({ id: 'EmailTemplatePreview' })
export type EmailTemplatePreview = z.infer<typeof EmailTemplatePreview>

/**
 * The name that emails to partners come from, instead of the account's, and where replies go, instead of to its owner.
 * The address they come from stays that of the install.
 */
export const EmailSender = z
  .object({ fromName: z.string().nullable(), replyTo: z.string().nullable() })
  .meta({ id: 'EmailSender' })
export type EmailSender = z.infer<typeof EmailSender>

/** Fields left out keep their value; null empties one. */
export const EmailSenderChange = z.strictObject({
  fromName: optionalName(LONGEST_NAME)
    .refine((name) => name === null || !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'Use one line')
    .optional(),
  replyTo: orEmpty(Email).optional(),
})
export type EmailSenderChange = z.infer<typeof EmailSenderChange>

export const refusals = {
  unknown_variable: ['validation_failed', 'Line {{line}}: this email has no variable {{name}}.'],
  variable_not_alone: ['validation_failed', 'Line {{line}}: put {{name}} on a line of its own.'],
  button_missing: ['validation_failed', 'Add {{button}} on a line of its own: this email asks its reader to act.'],
} as const satisfies Refusals

const params = z.strictObject({ id: Id, kind: Id })

export const listEmailTemplates = endpoint('listEmailTemplates', 'GET /accounts/:id/email-templates', {
  summary: 'List the emails to partners whose text can be changed',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  reply: z.object({ items: z.array(EmailTemplate) }),
})

export const saveEmailTemplate = endpoint('saveEmailTemplate', 'PUT /accounts/:id/email-templates/:kind', {
  summary: 'Replace the text of a kind of email',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  params,
  body: SavedEmailText,
  reply: EmailTemplate,
})

export const resetEmailTemplate = endpoint('resetEmailTemplate', 'DELETE /accounts/:id/email-templates/:kind', {
  summary: 'Bring back the usual text of a kind of email',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  params,
  reply: EmailTemplate,
})

export const previewEmailTemplate = endpoint(
  'previewEmailTemplate',
  'POST /accounts/:id/email-templates/:kind/preview',
  {
    summary: 'Show a kind of email with this text and sample data',
    allow: rights.earn,
    limit: apiLimit,
    subject: 'account',
    params,
    body: TriedEmailText,
    writesNothing: true,
    reply: EmailTemplatePreview,
  },
)

export const testEmailTemplate = endpoint('testEmailTemplate', 'POST /accounts/:id/email-templates/:kind/test', {
  summary: 'Send a kind of email with this text and sample data to yourself',
  allow: rights.earn,
  limit: { perMinute: 6, by: 'user' },
  subject: 'account',
  params,
  body: TriedEmailText,
  status: 202,
  reply: z.object({ email: z.string() }),
})

export const getEmailSender = endpoint('getEmailSender', 'GET /accounts/:id/email-sender', {
  summary: 'Retrieve the name and the reply address of emails to partners',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  reply: EmailSender,
})

export const changeEmailSender = endpoint('changeEmailSender', 'PUT /accounts/:id/email-sender', {
  summary: 'Change the name and the reply address of emails to partners',
  allow: rights.earn,
  limit: apiLimit,
  subject: 'account',
  body: EmailSenderChange,
  reply: EmailSender,
})

/** In the reference its calls follow those of announcements. */
export const listedAfter = 'announcements'
