import { useState } from 'react'
import { rotateOutgoingSecret } from '#contract/outgoing-webhooks.ts'
import { useCall } from '../../calls.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { SecretDialog } from '../../ui/SecretDialog.tsx'
import { t } from '../../words.ts'

/** Replaces the secret after a confirmation, and shows the new one. */
export function RotateSecret({ id, onClose }: { id: string; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useCall(rotateOutgoingSecret, { onSuccess: (rotated) => setSecret(rotated.secret) })
  if (secret)
    return (
      <SecretDialog
        heading={t('outgoingWebhooks.secret.heading')}
        label={t('outgoingWebhooks.secret.label')}
        secret={secret}
        why={t('outgoingWebhooks.secret.both')}
        onClose={onClose}
      />
    )
  return (
    <Confirm
      heading={t('outgoingWebhooks.rotate.heading')}
      confirm={t('outgoingWebhooks.rotate.button')}
      call={rotate}
      onConfirm={() => rotate.mutate({ params: { id } })}
      onClose={onClose}
    >
      {t('outgoingWebhooks.rotate.text')}
    </Confirm>
  )
}
