import { rights } from '#contract/endpoint.ts'
import { ownerChanged } from '../../../program/auth/signals.ts'
import { defineMail, onSignal, readForTeam } from '../mail.ts'
import { formatAccountName, nameOr, toOwner } from '../message.ts'
import { whatWorksIn } from '../queries.ts'

export const ownerChangedMail = defineMail({
  group: 'security',
  title: 'New owner',
  description: 'An account has a new owner.',
  when: onSignal(ownerChanged, ({ userId }, { id, accountId }) => [{ id, accountId: accountId!, userId }]),
  read: (services, { accountId, userId }) =>
    // nothing if another owner has followed
    readForTeam(services, { accountId, reader: userId }, rights.own, async ({ name: accountName }) => {
      return {
        ...(await whatWorksIn(services.db, accountId)),
        accountName,
        url: `${services.config.appUrl}/integrations/push-data`,
      }
    }),
  write: ({ accountName, keys, outgoing, incoming, url }) => ({
    ...toOwner(accountName),
    subject: 'You’re now the owner of this account',
    preview: 'Review what was set up before you.',
    parts: [
      `You are the owner of ${formatAccountName(accountName)}. The previous owner can no longer sign in to it, and API keys can no longer read its data.`,
      ...(keys.length + outgoing.length + incoming.length > 0
        ? [
            'These were set up before you and still work. Replace or delete any you don’t recognize.',
            {
              facts: [
                { label: 'API keys', value: namesOf(keys) },
                { label: 'Outgoing webhooks', value: namesOf(outgoing) },
                { label: 'Incoming webhooks', value: namesOf(incoming) },
              ].filter(({ value }) => value !== ''),
            },
          ]
        : []),
    ],
    button: { label: 'Review API keys', url },
  }),
  sample: {
    accountName: 'Northwind',
    keys: ['Push data'],
    outgoing: ['CRM'],
    incoming: ['Website form'],
    url: 'https://partners.example.com/integrations/push-data',
  },
})

const namesOf = (names: string[]) => names.map((name) => nameOr(name, 'one without a name')).join(', ')
