import { Link } from '@tanstack/react-router'
import { changeOutgoingWebhook, type OutgoingWebhook } from '#contract/outgoing-webhooks.ts'
import { CallButton } from '../../ui/CallButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { formWords } from '../../words/forms.ts'
import { outgoingWebhookWords } from '../../words/outgoing-webhooks.ts'
import { NOT_DELIVERED } from './deliveries.ts'
import { toHealth } from './health.tsx'

/** Warns that deliveries fail or have stopped, with the remedy. */
export function WebhookTrouble({ webhook }: { webhook: OutgoingWebhook }) {
  const { id, consecutiveFailures, disabledReason } = webhook
  const health = toHealth(webhook)
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
            {outgoingWebhookWords.showFailed}
          </Link>
        }
      >
        <strong>{outgoingWebhookWords.failed({ count: consecutiveFailures })}</strong> {outgoingWebhookWords.failedHelp}
      </Message>
    )
  }
  if (health === 'stopped' || health === 'off') {
    return (
      <Message kind={health === 'stopped' ? 'error' : 'info'} action={<TurnOn webhook={webhook} />}>
        <strong>{outgoingWebhookWords.isOff}</strong> {disabledReason}{' '}
        {health === 'stopped' ? outgoingWebhookWords.isStoppedHelp : outgoingWebhookWords.isOffHelp}
      </Message>
    )
  }
  return null
}

const TurnOn = ({ webhook: { id, name } }: { webhook: OutgoingWebhook }) => (
  <CallButton
    small
    call={changeOutgoingWebhook}
    input={{ params: { id }, body: { enabled: true } }}
    done={formWords.switchedOn({ name })}
  >
    {outgoingWebhookWords.turnOn}
  </CallButton>
)
