import { webhookTurnedOff } from '../../outgoing-webhooks/signals.ts'
import { named, readersOfWebhooks, readWebhook, sampleWebhook } from '../about/webhook.ts'
import { mail, on } from '../mail.ts'
import { nameOr, toTeam } from '../message.ts'

export const webhookTurnedOffMail = mail({
  group: 'integrations',
  title: 'Webhook turned off',
  description: 'An outgoing webhook was turned off.',
  when: on(webhookTurnedOff, ({ webhookId }, { id }) => [{ id, webhookId }]),
  team: readersOfWebhooks,
  // without a reason it was turned on again meanwhile
  read: (services, about) =>
    readWebhook(services, about, (webhook, reason) => (reason ? { ...webhook, reason } : null)),
  write: ({ accountName, name, reason, url }) => ({
    ...toTeam(accountName),
    subject: `Your webhook ${named(name)} was turned off`,
    preview: reason,
    parts: [
      `The webhook ${named(name)} of ${nameOr(accountName, 'your account')} was turned off. ${reason}`,
      'No events are lost: those that occur while it’s off are logged as failed. Turn it on once the receiver works, then resend them.',
    ],
    button: { label: 'Review deliveries', url },
  }),
  sample: { ...sampleWebhook, reason: 'The last 20 delivery attempts failed.' },
})
