import { webhookFailing } from '../../outgoing-webhooks/signals.ts'
import { readersOfWebhooks, readWebhook, sampleWebhook, webhookName } from '../about/webhook.ts'
import { defineMail, onSignal } from '../mail.ts'
import { nameOr, toTeam } from '../message.ts'

export const webhookFailingMail = defineMail({
  group: 'integrations',
  title: 'Webhook failing',
  description: 'Deliveries of an outgoing webhook keep failing.',
  when: onSignal(webhookFailing, (data, { id }) => [{ id, ...data }]),
  team: readersOfWebhooks,
  read: (services, about) => readWebhook(services, about, (webhook) => ({ ...webhook, failures: about.failures })),
  write: ({ accountName, name, failures, url }) => ({
    ...toTeam(accountName),
    subject: `Your webhook ${webhookName(name)} is failing`,
    preview: `The last ${failures} delivery attempts failed.`,
    parts: [
      `The last ${failures} delivery attempts to the webhook ${webhookName(name)} of ${nameOr(accountName, 'your account')} failed.`,
      'Deliveries are retried automatically. After 20 failures in a row the webhook is turned off; you can resend what failed.',
    ],
    button: { label: 'Review deliveries', url },
  }),
  sample: { ...sampleWebhook, failures: 5 },
})
