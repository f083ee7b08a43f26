import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MailPreview } from '#contract/mail.ts'
import { optionalMailGroups } from '#contract/mail-groups.ts'
import { type MailKind, mailKinds } from '#contract/mail-kinds.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { contentSecurityPolicy } from '../../platform/http/security-headers.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import type { App } from '../../program/access/route.ts'
import { mails } from './kinds/registry.ts'

/** Lists every kind of mail. */
export const listPreviews = (secrets: Secrets, now: Date) => mailKinds.map((kind) => previewOf(secrets, now, kind))

/** Returns a preview. Refuses: an unknown kind. */
export async function getPreview(install: Install, now: Date, given: string) {
  const kind = mailKinds.find((one) => one === given)
  if (!kind) throw notFound()
  const { text } = await renderedSample(install, kind)
  return { ...previewOf(install.secrets, now, kind), text }
}

const previewOf = (secrets: Secrets, now: Date, kind: MailKind): MailPreview => ({
  kind,
  title: mails[kind].title,
  description: mails[kind].description,
  subject: letterOf(kind).subject,
  page: `/mail/previews/${kind}?key=${keyOf(secrets, kind, now)}`,
})

const letterOf = (kind: MailKind) => mails[kind].write(mails[kind].sample)

async function renderedSample({ config }: Pick<Install, 'config'>, kind: MailKind) {
  const { renderMail } = await import('./layout.ts')
  const isOptional = optionalMailGroups.includes(mails[kind].group)
  return renderMail(letterOf(kind), { unsubscribeUrl: isOptional ? `${config.appUrl}/mail/unsubscribe/sample` : null })
}

const DAY_MS = 86_400_000

/**
 * Derives the key that opens the page of this kind, on this day and the next: a browser opening a page sends no token.
 */
const keyOf = (secrets: Secrets, kind: MailKind, now: Date) =>
  secrets.derive('mail-preview', `${kind} ${now.toISOString().slice(0, 10)}`)

const LIMIT: NamedLimit = { name: 'mail-preview', perMinute: 60, by: 'network' }
/** Mails contain inline styles, which application pages may not. */
const POLICY = contentSecurityPolicy({
  'script-src': null,
  'style-src': "'unsafe-inline'",
  'font-src': null,
  'connect-src': null,
  'img-src': null,
  'form-action': "'none'",
  sandbox: '',
})

/**
 * Response header with the forwarded address that proxies reported for the caller, for checking their configuration.
 */
export const FORWARDED = 'x-received-forwarded-for'

type Request = FastifyRequest<{ Params: { kind: string }; Querystring: { key?: unknown } }>

/** `/mail/previews/{kind}`: a kind of mail as a mail program shows it, opened from their list. */
export function previewRoute({ fastify, services, limits }: App) {
  const { secrets, clock } = services
  fastify.get('/mail/previews/:kind', {
    config: { policy: 'public', limit: LIMIT },
    handler: async ({ params, query, ip, headers }: Request, reply: FastifyReply) => {
      const now = clock.now()
      const days = [now, new Date(now.getTime() - DAY_MS)]
      const kind = mailKinds.find((one) => one === params.kind)
      if (!kind || !days.some((day) => keyOf(secrets, kind, day) === query.key)) {
        limits.check(reply, UNKNOWN, ip)
        throw notFound()
      }
      const { html } = await renderedSample(services, kind)
      reply.header(FORWARDED, headers['x-forwarded-for'] ?? 'nothing')
      return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(html)
    },
  })
}
