import type { OutgoingDelivery, OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { formatNearMoment } from '../../format.ts'
import { t } from '../../words.ts'

/** Of the filter 'Result': what failed and may yet be delivered, and what failed for good. */
export const NOT_DELIVERED = 'retrying,failed'

/** '503 in 412 ms', or why no answer came. */
export function answerOf({ code, durationMs, responseBody }: OutgoingDelivery) {
  if (code !== null) return t('outgoingWebhooks.delivery.answer', { code, ms: durationMs ?? 0 })
  return responseBody ?? t('absent')
}

/** Made while the webhook was off, or still waiting when it was turned off: no attempt was made that could have failed. */
export const wasNotSent = ({ attempts, state }: OutgoingDelivery, { enabled }: Pick<OutgoingWebhook, 'enabled'>) =>
  attempts === 0 && (state === 'failed' || (state === 'pending' && !enabled))

/** What a webhook that is off would send waits until it is on. */
export const nextTryOf = (
  { nextAttemptAt }: OutgoingDelivery,
  { enabled }: Pick<OutgoingWebhook, 'enabled'>,
  timeZone: string,
) => (nextAttemptAt && enabled ? formatNearMoment(nextAttemptAt, timeZone) : t('absent'))

/** JSON with a line for each field, whatever else as it is. */
export function readable(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
