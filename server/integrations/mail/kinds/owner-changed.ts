import { ownerChanged } from '../../../program/auth/signals.ts'
import { accountOf, becauseOwner, said } from '../letter.ts'
import { mail, on } from '../mail.ts'
import { findOwner } from '../news-queries.ts'
import { findAccount, whatWorksIn } from '../queries.ts'

export const ownerChangedMail = mail({
  group: 'security',
  title: 'New owner',
  description: 'An account has a new owner.',
  when: on(ownerChanged, ({ userId }, { id, accountId }) => [{ id, accountId: accountId!, userId }]),
  async read({ db, config }, { accountId, userId }) {
    const account = await findAccount(db, accountId)
    const owner = await findOwner(db, accountId)
    // another owner has followed
    if (!account || owner?.userId !== userId) return null
    if (account.disabledAt) return 'later'
    const left = await whatWorksIn(db, accountId)
    const url = `${config.appUrl}/integrations/push-data`
    return { to: owner.email, data: { ...left, accountName: account.name, url } }
  },
  write: ({ accountName, keys, outgoing, incoming, url }) => ({
    account: accountName,
    subject: 'You own this account now',
    preview: 'Review what was set up before you.',
    parts: [
      `You are the owner of ${accountOf(accountName)}. The previous owner can no longer sign in to it, and API keys can no longer read its data.`,
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
    because: becauseOwner(accountName),
  }),
  sample: {
    accountName: 'Northwind',
    keys: ['Push data'],
    outgoing: ['CRM'],
    incoming: ['Website form'],
    url: 'https://partners.example.com/integrations/push-data',
  },
})

const namesOf = (names: string[]) => names.map((name) => said(name, 'one without a name')).join(', ')
