import { paymentProviderNames } from '#contract/sales.ts'
import { presentConnection } from '../../payment-providers/present-connections.ts'
import { listSubjects, newsMail } from '../mail.ts'
import { formatAccountName, nameOr, toTeam } from '../message.ts'

export const providerAttention = newsMail({
  group: 'integrations',
  title: 'Payment provider needs attention',
  description: 'A payment provider no longer accepts the connection, or has stopped sending events.',
  news: { 'payment-provider.unhealthy': () => ({ to: 'team' }) },
  async read(gathered) {
    const { db, account, origin } = gathered
    const all = await Promise.all(listSubjects(gathered).map((id) => presentConnection(db, account.id, id)))
    const connections = all
      .filter(({ state }) => state === 'attention')
      .map(({ provider, accountName, stateReason }) => ({
        provider: paymentProviderNames[provider],
        name: accountName,
        reason: stateReason ?? '',
      }))
    if (connections.length === 0) return null
    return { accountName: account.name, connections, url: `${origin}/integrations/payment-providers` }
  },
  write({ accountName, connections, url }) {
    const providers = [...new Set(connections.map(({ provider }) => provider))].join(' and ')
    return {
      ...toTeam(accountName),
      subject: `${providers} needs your attention`,
      preview: 'New payments may not be recorded.',
      parts: [
        `There’s a problem with the connection of ${formatAccountName(accountName)} to ${providers}. Until it’s fixed, new payments may be recorded late or not at all.`,
        {
          facts: connections.map(({ provider, name, reason }) => ({
            label: name ? `${provider}, ${nameOr(name, 'your account')}` : provider,
            value: reason,
          })),
        },
      ],
      button: { label: 'Check the connection', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    connections: [{ provider: 'Stripe', name: 'Northwind Trading', reason: 'Stripe no longer accepts the key.' }],
    url: 'https://partners.example.com/integrations/payment-providers',
  },
})
