import type { OutgoingDelivery, OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { wasNotSent } from './deliveries.ts'

const tones = {
  working: 'done',
  unused: 'waits',
  failing: 'needs',
  stopped: 'failed',
  off: 'waits',
} as const satisfies Record<string, Tone>

/** The webhook's health. `stopped`: turned off because deliveries failed; `off`: turned off by the owner. */
export function toHealth(webhook: OutgoingWebhook): keyof typeof tones {
  if (!webhook.enabled) return webhook.disabledReason ? 'stopped' : 'off'
  if (webhook.consecutiveFailures > 0) return 'failing'
  return webhook.lastDeliveryAt ? 'working' : 'unused'
}

export function Health({ of }: { of: OutgoingWebhook }) {
  const health = toHealth(of)
  return <Badge tone={tones[health]}>{outgoingWebhookWords.health[health]}</Badge>
}

export function DeliveryState({ of, webhook }: { of: OutgoingDelivery; webhook: OutgoingWebhook }) {
  if (wasNotSent(of, webhook)) return <Badge tone="waits">{outgoingWebhookWords.delivery.notSent}</Badge>
  return <StatusBadge of="delivery" status={of.state} />
}
