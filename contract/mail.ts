import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import { mailGroupNames } from './mail-groups.ts'
import { mailKinds } from './mail-kinds.ts'
import { anyOf, Email, Id, IdParams, Instant, listQuery, pageSchema } from './values.ts'

export const mailStates = ['waiting', 'sent', 'kept', 'refused', 'failed', 'skipped'] as const
export type MailState = (typeof mailStates)[number]

/**
 * A mail and its delivery status, for 90 days. `kept`: no mail server is set, so it is in the outbox; `refused`: the
 * mail server rejected it; `failed`: given up after a day of attempts; `skipped`: its reader turned it off, or it
 * became pointless. `subject` is null if the mail is an account's own business.
 */
export const LoggedMail = z
  .object({
    id: Id,
    kind: z.string(),
    title: z.string(),
    email: z.string(),
    subject: z.string().nullable(),
    state: z.enum(mailStates),
    reason: z.string().nullable(),
    ...bothFields('attempts', z.int()),
    lastTriedAt: Instant.nullable(),
    createdAt: Instant,
  })
  .meta({ id: 'LoggedMail' })
export type LoggedMail = z.infer<typeof LoggedMail>

/** Replaces a link meant for the reader alone in the text of a mail in the outbox. */
export const HIDDEN_LINK = '[link hidden]'

/**
 * `text` of a mail in the outbox, without its secret links; null if it is an account's own business. `file` is in the
 * outbox.
 */
export const KeptMail = LoggedMail.extend({ text: z.string().nullable(), file: z.string().nullable() }).meta({
  id: 'KeptMail',
})
export type KeptMail = z.infer<typeof KeptMail>

export const MailServer = z.object({ host: z.string(), port: z.int() }).meta({ id: 'MailServer' })

export const TestMail = z.strictObject({ email: Email })

/** A kind of mail rendered with made-up data. `page` shows it as a mail program does, for a day. */
export const MailPreview = z
  .object({ kind: z.string(), title: z.string(), description: z.string(), subject: z.string(), page: z.string() })
  .meta({ id: 'MailPreview' })
export type MailPreview = z.infer<typeof MailPreview>

/** Mails of one group that the signed-in user may get. `optional`: they can turn them off. */
export const MailPreference = z
  .object({
    group: z.enum(mailGroupNames),
    title: z.string(),
    description: z.string(),
    optional: z.boolean(),
    enabled: z.boolean(),
  })
  .meta({ id: 'MailPreference' })
export type MailPreference = z.infer<typeof MailPreference>

/** The group that the link at the end of a mail turns off. */
export const MailSubscription = z
  .object({ group: z.enum(mailGroupNames), title: z.string(), enabled: z.boolean() })
  .meta({ id: 'MailSubscription' })
export type MailSubscription = z.infer<typeof MailSubscription>

export const getMailStatus = endpoint('getMailStatus', 'GET /mail/status', {
  summary: 'Retrieve the email settings; without a mail server, emails are stored in the outbox',
  allow: ['admin'],
  limit: apiLimit,
  reply: z.object({ server: MailServer.nullable(), from: z.string() }),
})

export const listLoggedMails = endpoint('listLoggedMails', 'GET /mail/log', {
  summary: 'List the emails of the last 90 days with their delivery status',
  allow: ['admin'],
  limit: apiLimit,
  fromReplica: true,
  query: listQuery({ state: anyOf(mailStates), kind: anyOf(mailKinds) }),
  reply: pageSchema(LoggedMail),
})

export const downloadLoggedMails = csvEndpoint(listLoggedMails, {
  summary: 'Download the emails of the last 90 days with their delivery status, without their texts',
  file: 'mails',
})

export const getLoggedMail = endpoint('getLoggedMail', 'GET /mail/log/:id', {
  summary: 'Retrieve an email, with its text if there is no mail server',
  allow: ['admin'],
  limit: apiLimit,
  params: IdParams,
  reply: KeptMail,
})

export const listMailPreviews = endpoint('listMailPreviews', 'GET /mail/previews', {
  summary: 'List the kinds of email',
  allow: ['admin'],
  limit: apiLimit,
  reply: z.object({ items: z.array(MailPreview) }),
})

export const getMailPreview = endpoint('getMailPreview', 'GET /mail/previews/:kind', {
  summary: 'Preview a kind of email with sample data',
  allow: ['admin'],
  limit: apiLimit,
  params: z.strictObject({ kind: Id }),
  reply: MailPreview.extend({ text: z.string() }).meta({ id: 'MailPreviewDetail' }),
})

export const sendTestMail = endpoint('sendTestMail', 'POST /mail/tests', {
  summary: 'Send a test email; the log shows its delivery status',
  allow: ['admin'],
  limit: { name: 'mail-test', perMinute: 6, by: 'user' },
  body: TestMail,
  status: 202,
  reply: LoggedMail,
})

export const listMailChoices = endpoint('listMailChoices', 'GET /mail/choices', {
  summary: 'List the groups of emails that the signed-in user can get; the user’s `preferences.mail` turns them off',
  allow: ['user'],
  limit: apiLimit,
  reply: z.object({ items: z.array(MailPreference) }),
})

export const getMailSubscription = endpoint('getMailSubscription', 'GET /mail/subscription', {
  summary: 'Retrieve the emails that an unsubscribe link turns off',
  allow: ['link'],
  limit: apiLimit,
  reply: MailSubscription,
})

export const changeMailSubscription = endpoint('changeMailSubscription', 'PUT /mail/subscription', {
  summary: 'Turn the emails of an unsubscribe link off, or on again',
  allow: ['link'],
  limit: apiLimit,
  body: z.strictObject({ enabled: z.boolean() }),
  reply: MailSubscription,
})
