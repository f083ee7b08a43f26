import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'

const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
}

/**
 * The content security policy of every answer (security.md, section 9); `changes` loosen it, null drops a directive.
 */
export const contentSecurityPolicy = (changes: Record<string, string | null> = {}) =>
  Object.entries({ ...POLICY, ...changes })
    .filter(([, value]) => value !== null)
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ')

/** Headers of every answer. HSTS only if the public address is https. */
export const securityHeaders = ({ appUrl }: Pick<Config, 'appUrl'>): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  ...(appUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})

/** Adds the security headers to every answer. None may be cached unless its route permits it. */
export function secureAnswers(fastify: FastifyInstance, config: Pick<Config, 'appUrl'>) {
  const headers = { ...securityHeaders(config), 'cache-control': 'no-store' }
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
