import type { OutgoingDelivery, OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { formatShortDateTime } from '../../format.ts'
import { basicWords } from '../../words/basic.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'

/** The value of the filter 'Result' for failed deliveries, whether or not they will be retried. */
export const NOT_DELIVERED = 'retrying,failed'

/** Returns '503 in 412 ms', or the reason there was no response. */
export function formatAnswer({ code, durationMs, responseBody }: OutgoingDelivery) {
  if (code !== null) return outgoingWebhookWords.delivery.answer({ code, ms: durationMs ?? 0 })
  return responseBody ?? basicWords.absent
}

/**
 * True if the delivery was created while the webhook was off, or was still pending when it was turned off: no attempt
 * was made, so none failed.
 */
export const wasNotSent = ({ attempts, state }: OutgoingDelivery, { enabled }: Pick<OutgoingWebhook, 'enabled'>) =>
  attempts === 0 && (state === 'failed' || (state === 'pending' && !enabled))

/** Returns the time of the next attempt; a webhook that is off has none until it is on again. */
export const formatNextAttempt = (
  { nextAttemptAt }: OutgoingDelivery,
  { enabled }: Pick<OutgoingWebhook, 'enabled'>,
  timeZone: string,
) => (nextAttemptAt && enabled ? formatShortDateTime(nextAttemptAt, timeZone) : basicWords.absent)

/** Formats JSON with one line per field; returns any other text unchanged. */
export function formatBody(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
