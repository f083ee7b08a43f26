import type { CallError } from '../api.ts'
import { t } from '../words.ts'

/** The sentence for a refused call where a screen has none of its own. */
export function explainRefusal(error: CallError) {
  if (error.code === 'rate_limited') return t('errors.tooMany', { count: error.retryAfter ?? 60 })
  const { message: said } = error.details
  if (error.code === 'provider_failed' && typeof said === 'string') return `${error.message} (${said})`
  return error.message
}
