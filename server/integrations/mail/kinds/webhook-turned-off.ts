import { webhookTurnedOff } from '../../outgoing-webhooks/signals.ts'
import { readersOfWebhooks, readWebhook, sampleWebhook, webhookName } from '../about/webhook.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr, toTeam } from '../message.ts'

export const webhookTurnedOffMail = defineMail({
  group: 'integrations',
  title: 'Webhook turned off',
  description: 'An outgoing webhook was turned off.',
  when: onSignal(webhookTurnedOff, ({ webhookId }, { id }) => [{ id, webhookId }]),
  team: readersOfWebhooks,
  // without a reason it was turned on again meanwhile
  read: (services, about) =>
    readWebhook(services, about, (webhook, reason) => (reason ? { ...webhook, reason } : null)),
  write: ({ accountName, name, reason, url }) => ({
    ...toTeam(accountName),
    subject: `Your webhook ${webhookName(name)} was turned off`,
    preview: reason,
    parts: [
      `The webhook ${webhookName(name)} of ${nameOr(accountName, 'your account')} was turned off. ${reason}`,
      'No events are lost: those that occur while it’s off are logged as failed. Turn it on once the receiver works, then resend them.',
    ],
    button: { label: 'Review deliveries', url },
  }),
  sample: { ...sampleWebhook, reason: 'The last 20 delivery attempts failed.' },
})
