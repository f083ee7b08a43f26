import { useState } from 'react'
import { rotateOutgoingSecret } from '#contract/outgoing-webhooks.ts'
import { useCall } from '../../calls.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'

/** Replaces the secret after a confirmation, and shows the new one. */
export function RotateSecret({ id, onClose }: { id: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useCall(rotateOutgoingSecret, { onSuccess: (rotated) => setSecret(rotated.secret) })
  if (secret)
    return (
      <SecretDialog
        heading={outgoingWebhookWords.secret.heading}
        label={outgoingWebhookWords.secret.label}
        secret={secret}
        why={outgoingWebhookWords.secret.both}
        onClose={onClose}
      />
    )
  return (
    <Confirm
      heading={outgoingWebhookWords.rotate.heading}
      confirm={outgoingWebhookWords.rotate.button}
      call={rotate}
      onConfirm={() => rotate.mutate({ params: { id } })}
      onClose={onClose}
    >
      {outgoingWebhookWords.rotate.text}
    </Confirm>
  )
}
