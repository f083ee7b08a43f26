import { type OutgoingWebhook, rotateOutgoingSecret } from '#contract/outgoing-webhooks.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'

/** Replaces the secret after a confirmation, and shows the new one. */
export const RotateSecret = exposeAction(
  defineAction(rotateOutgoingSecret, (_: OutgoingWebhook) => ({
    heading: outgoingWebhookWords.rotate.heading,
    submit: outgoingWebhookWords.rotate.button,
    why: outgoingWebhookWords.rotate.text,
    shows: ({ secret }, { onClose }) => (
      <SecretDialog
        heading={outgoingWebhookWords.secret.heading}
        label={outgoingWebhookWords.secret.label}
        secret={secret}
        why={outgoingWebhookWords.secret.both}
        onClose={onClose}
      />
    ),
  })),
  { label: outgoingWebhookWords.rotate.button },
)
