import { keyCreated } from '../../../program/access/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, nameOr, toUser } from '../message.ts'
import { findAccount, findUser } from '../queries.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.newKey

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
    return { ...user, data }
  },
  write: ({ what, name, accountName, url }) => ({
    ...toUser(accountName),
    subject: words[what].subject,
    preview: words[what].preview,
    parts: [
      words[what].text({ name: nameOr(name, words.unnamed), account: formatAccountName(accountName) }),
      words[what].help,
    ],
    button: { label: words[what].review, url },
  }),
  sample: {
    what: 'key',
    name: 'Billing',
    accountName: 'Northwind',
    url: 'https://partners.example.com/integrations/push-data',
  },
})
