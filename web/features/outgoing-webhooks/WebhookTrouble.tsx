import { Link } from '@tanstack/react-router'
import { changeOutgoingWebhook, type OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { useCall } from '../../calls.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { explainRefusal } from '../../ui/refusals.ts'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { NOT_DELIVERED } from './deliveries.ts'
import { healthOf } from './health.tsx'

/** Warns that deliveries fail or have stopped, with the remedy. */
export function WebhookTrouble({ webhook }: { webhook: OutgoingWebhook }) {
  const { id, consecutiveFailures, disabledReason } = webhook
  const health = healthOf(webhook)
  if (health === 'failing') {
    return (
      <Message
        kind="warning"
        action={
          <Link
            to="/integrations/outgoing-webhooks/$hookId"
            params={{ hookId: id }}
            search={{ state: NOT_DELIVERED }}
            resetScroll={false}
          >
            {t('outgoingWebhooks.showFailed')}
          </Link>
        }
      >
        <strong>{t('outgoingWebhooks.failed', { count: consecutiveFailures })}</strong>{' '}
        {t('outgoingWebhooks.failedHelp')}
      </Message>
    )
  }
  if (health === 'stopped' || health === 'off') {
    return (
      <Message kind={health === 'stopped' ? 'error' : 'info'} action={<TurnOn webhook={webhook} />}>
        <strong>{t('outgoingWebhooks.isOff')}</strong> {disabledReason}{' '}
        {t(health === 'stopped' ? 'outgoingWebhooks.isStoppedHelp' : 'outgoingWebhooks.isOffHelp')}
      </Message>
    )
  }
  return null
}

function TurnOn({ webhook: { id, name } }: { webhook: OutgoingWebhook }) {
  const turnOn = useCall(changeOutgoingWebhook, {
    onSuccess: () => toast(t('form.switchedOn', { name })),
    onError: (error) => toast(explainRefusal(error), { failed: true }),
  })
  return (
    <Button small busy={turnOn.busy} onClick={() => turnOn.mutate({ params: { id }, body: { enabled: true } })}>
      {t('outgoingWebhooks.turnOn')}
    </Button>
  )
}
