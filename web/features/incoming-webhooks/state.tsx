import type { IncomingSender, IncomingWebhook } from '#contract/incoming-webhooks.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { incomingWebhookWords } from '../../words/incoming-webhooks.ts'

const tones = { capturing: 'needs', active: 'done', disabled: 'waits' } as const satisfies Record<
  IncomingWebhook['state'],
  Tone
>

export const State = ({ of: { state, attention } }: { of: IncomingWebhook }) =>
  attention && state === 'active' ? (
    <Badge tone="needs">{incomingWebhookWords.states.attention}</Badge>
  ) : (
    <Badge tone={tones[state]}>{incomingWebhookWords.states[state]}</Badge>
  )

/** Returns the name of a webhook's sender; its key while the senders are loaded. */
export const senderName = (senders: readonly IncomingSender[] | undefined, sender: string | null) =>
  sender === null ? incomingWebhookWords.anotherSystem : (senders?.find((one) => one.sender === sender)?.name ?? sender)
