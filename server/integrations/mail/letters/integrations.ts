import { accountOf, becauseOwner, said, writer } from '../letter.ts'

type Webhook = { accountName: string | null; name: string; url: string }

const sample = {
  accountName: 'Northwind',
  name: 'CRM',
  url: 'https://partners.example.com/integrations/outgoing-webhooks/sample',
}

const named = (name: string) => said(name, 'of your account')

export const webhookFailing = writer<Webhook & { failures: number }>(
  { ...sample, failures: 5 },
  ({ accountName, name, failures, url }) => ({
    account: accountName,
    subject: `Your webhook ${named(name)} is failing`,
    preview: `The last ${failures} delivery attempts failed.`,
    parts: [
      `The last ${failures} delivery attempts to the webhook ${named(name)} of ${said(accountName, 'your account')} failed.`,
      'Deliveries are retried automatically. After 20 failures in a row the webhook is turned off; you can resend what failed.',
    ],
    button: { label: 'Review deliveries', url },
    because: becauseOwner(accountName),
  }),
)

export const webhookTurnedOff = writer<Webhook & { reason: string }>(
  { ...sample, reason: 'The last 20 delivery attempts failed.' },
  ({ accountName, name, reason, url }) => ({
    account: accountName,
    subject: `Your webhook ${named(name)} was turned off`,
    preview: reason,
    parts: [
      `The webhook ${named(name)} of ${said(accountName, 'your account')} was turned off. ${reason}`,
      'Nothing is lost: events that happen while it is off stand in its log as failed. Turn it on once the receiver works, then resend them.',
    ],
    button: { label: 'Review deliveries', url },
    because: becauseOwner(accountName),
  }),
)

export const providerAttention = writer<{
  accountName: string | null
  connections: { provider: string; name: string | null; reason: string }[]
  url: string
}>(
  {
    accountName: 'Northwind',
    connections: [{ provider: 'Stripe', name: 'Northwind Trading', reason: 'Stripe no longer accepts the key.' }],
    url: 'https://partners.example.com/integrations/payment-providers',
  },
  ({ accountName, connections, url }) => {
    const providers = [...new Set(connections.map(({ provider }) => provider))].join(' and ')
    return {
      account: accountName,
      subject: `${providers} needs your attention`,
      preview: 'New payments may not be recorded.',
      parts: [
        `There’s a problem with the connection of ${accountOf(accountName)} to ${providers}. Until it’s fixed, new payments may be recorded late or not at all.`,
        {
          facts: connections.map(({ provider, name, reason }) => ({
            label: name ? `${provider}, ${said(name, 'your account')}` : provider,
            value: reason,
          })),
        },
      ],
      button: { label: 'Check the connection', url },
      because: becauseOwner(accountName),
    }
  },
)
