import type { TeamRole } from '#contract/endpoint.ts'
import { accessChanged } from '../../../program/auth/signals.ts'
import { accountOf, toUser } from '../letter.ts'
import { mail, on } from '../mail.ts'
import { findAccount, findUser } from '../queries.ts'

/** To a person whose role in an account's team another person changed or took. */
export const accessChangedMail = mail({
  group: 'security',
  title: 'Access changed',
  description: 'Your role in an account was changed or removed.',
  when: on(accessChanged, (changed, { id, accountId }) => [{ id, accountId: accountId!, ...changed }]),
  async read({ db, config }, { accountId, userId, role }) {
    const [user, account] = await Promise.all([findUser(db, userId), findAccount(db, accountId)])
    return user && account && { to: user.email, data: { accountName: account.name, role, url: `${config.appUrl}/` } }
  },
  write({ accountName, role, url }) {
    const account = accountOf(accountName)
    return {
      ...toUser(accountName),
      subject: role ? `Your role in ${account} was changed` : `Your access to ${account} was removed`,
      preview: role ? 'It applies from now on.' : 'What you did there stays.',
      parts: [
        role ? `You are now ${roleInWords[role]} of ${account}.` : `You can no longer open ${account}.`,
        'If you don’t expect this, ask an owner of the account.',
      ],
      button: { label: 'Open Tributary', url },
    }
  },
  sample: { accountName: 'Northwind', role: 'finance', url: 'https://partners.example.com/' },
})

const roleInWords: Record<TeamRole, string> = {
  owner: 'an owner',
  manager: 'a manager',
  finance: 'in the finance team',
  viewer: 'a viewer',
}
