import { webhookTurnedOff } from '../../outgoing-webhooks/signals.ts'
import { named, readWebhook, sampleWebhook } from '../about/webhook.ts'
import { becauseOwner, said } from '../letter.ts'
import { mail, on } from '../mail.ts'

export const webhookTurnedOffMail = mail({
  group: 'integrations',
  title: 'Webhook turned off',
  description: 'An outgoing webhook was turned off.',
  when: on(webhookTurnedOff, ({ webhookId }, { id }) => [{ id, webhookId }]),
  async read(services, { webhookId }) {
    const found = await readWebhook(services, webhookId)
    if (found === null || found === 'later') return found
    const { to, userId, webhook, reason } = found
    // turned on again meanwhile
    return reason ? { to, userId, data: { ...webhook, reason } } : null
  },
  write: ({ accountName, name, reason, url }) => ({
    account: accountName,
    subject: `Your webhook ${named(name)} was turned off`,
    preview: reason,
    parts: [
      `The webhook ${named(name)} of ${said(accountName, 'your account')} was turned off. ${reason}`,
      'No events are lost: those that occur while it’s off are logged as failed. Turn it on once the receiver works, then resend them.',
    ],
    button: { label: 'Review deliveries', url },
    because: becauseOwner(accountName),
  }),
  sample: { ...sampleWebhook, reason: 'The last 20 delivery attempts failed.' },
})
