import {
  getLayout,
  type IncomingAuth,
  type IncomingWebhook,
  type MappedField,
  toTemplate,
} from '#contract/incoming-webhooks.ts'
import type { Rule } from './rules.ts'

export const shownRule = (rule: Rule): IncomingWebhook['rules'][number] => ({
  ...rule,
  mapping: rule.mapping.map(shownField),
})

export const shownField = ({ path = null, default: fallback = null, values = null, ...one }: MappedField) => ({
  ...one,
  path,
  default: fallback,
  values,
})

/** Shows the auth; what a webhook was saved without, in an earlier release, as it is understood. */
export function shownAuth(auth: IncomingAuth): IncomingWebhook['auth'] {
  if (auth.type === 'shared-secret') return { ...auth, prefix: auth.prefix ?? null }
  if (auth.type !== 'header-hmac') return auth
  const { prefix = null, key = 'text', timestampHeader, idHeader } = auth
  const headers = { timestampHeader: timestampHeader || null, idHeader: idHeader || null }
  return { ...auth, ...headers, prefix, key, signed: toTemplate(auth.signed), layout: getLayout(auth) }
}
