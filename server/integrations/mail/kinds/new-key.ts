import { keyCreated } from '../../../program/access/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, nameOr, toUser } from '../message.ts'
import { findAccount, findUser } from '../queries.ts'

export const newKey = defineMail({
  group: 'security',
  title: 'Key or token created',
  description: 'An API key of an account or an access token of a person was created.',
  when: onSignal(keyCreated, (created, { id, accountId }) => [{ id, accountId, ...created }]),
  async read({ db, config }, { userId, accountId, name }) {
    const user = await findUser(db, userId)
    const account = accountId ? await findAccount(db, accountId) : null
    if (!user || account === undefined) return null
    const [what, page] = account ? (['key', '/integrations/push-data'] as const) : (['token', '/user/profile'] as const)
    const data = { what, name, accountName: account?.name ?? null, url: `${config.appUrl}${page}` }
    return { to: user.email, data }
  },
  write: ({ what, name, accountName, url }) => ({
    ...toUser(accountName),
    subject: what === 'key' ? 'An API key was created' : 'An access token was created',
    preview: 'If this wasn’t you, delete it now.',
    parts: [
      what === 'key'
        ? `You created the API key ‘${nameOr(name, 'without a name')}’ for ${formatAccountName(accountName)}.`
        : `You created the access token ‘${nameOr(name, 'without a name')}’. It can read everything you can.`,
      `If this wasn’t you, delete ${what === 'key' ? 'this key' : 'this token'} and change your password.`,
    ],
    button: { label: what === 'key' ? 'Review API keys' : 'Review access tokens', url },
  }),
  sample: {
    what: 'key',
    name: 'Billing',
    accountName: 'Northwind',
    url: 'https://partners.example.com/integrations/push-data',
  },
})
