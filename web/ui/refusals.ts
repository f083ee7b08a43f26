import type { CallError } from '../api.ts'
import { basicWords } from '../words/basic.ts'
import { showToast } from './toasts.ts'

const AN_HOUR = 3600

/** Returns the message for a refused call if a screen has none of its own. */
export function explainRefusal(error: CallError) {
  const wait = error.retryAfter ?? 60
  // for a longer wait the server's message has the day
  if (error.code === 'rate_limited' && wait <= AN_HOUR) return basicWords.errors.tooMany({ count: wait })
  const { message: said } = error.details
  if (error.code === 'provider_failed' && typeof said === 'string') return `${error.message} (${said})`
  return error.message
}

/** Shows in a toast why a call was refused, for calls without a form or dialog of their own. */
export const toastRefusal = (error: CallError): void => showToast(explainRefusal(error), { failed: true })
