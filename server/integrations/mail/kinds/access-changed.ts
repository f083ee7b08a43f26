import type { AccessChange } from '../../../program/auth/signals.ts'
import { accessChanged } from '../../../program/auth/signals.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { emailsAround } from '../../../program/partners/former-emails.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, nameOr, toPartner, toUser } from '../message.ts'
import { findAccount, findPartnerAccount, findUser } from '../queries.ts'

type About = AccessChange & { id: string; accountId: string; recipient?: string }

/**
 * To a person whose role in an account's team or at a partner was changed or removed by another person, or who accepted
 * one at a partner. An invitation of a new owner by the account's owner is mailed to the partner's owners.
 */
export const accessChangedMail = defineMail({
  group: 'security',
  title: 'Access changed',
  description: 'Your role in an account or at a partner was given, changed or removed, or a partner gets a new owner.',
  when: onSignal(accessChanged, async (changed, { id, accountId, at }, tx): Promise<About[]> => {
    const about = { id, accountId: accountId!, ...changed }
    if (changed.why !== 'asked') return [about]
    const addresses = await emailsAround(tx, changed.partnerId!, new Date(at))
    return addresses.map((recipient, n) => ({
      ...about,
      id: `${id}-${n}`,
      recipient,
    }))
  }),
  async read({ db, config }, { accountId, partnerId, userId, role, why = null, recipient }) {
    const [user, account, partner] = await Promise.all([
      findUser(db, userId),
      findAccount(db, accountId),
      partnerId ? findPartnerAccount(db, partnerId) : null,
    ])
    if (!user || !account || (partnerId && !partner)) return null
    const data = { accountName: account.name, partnerName: partner?.partnerName ?? null, role, why, email: user.email }
    return {
      to: recipient ?? user.email,
      data: { ...data, url: partner ? `${portalUrl(config, partner)}/dashboard` : `${config.appUrl}/` },
    }
  },
  write({ accountName, partnerName, role, why, email, url }) {
    const account = formatAccountName(accountName)
    const place = partnerName === null ? account : `${nameOr(partnerName, 'a partner')}, a partner of ${account}`
    const button = { label: 'Open Tributary', url }
    if (why === 'asked')
      return {
        ...toPartner(accountName),
        subject: `${account} invites a new owner of your partner account`,
        preview: 'If you don’t expect this, act now.',
        parts: [
          `${account} invited ${email} as an owner of ${place}. Once they accept, they see and can change the payout details, and automatic payouts pause for 72 hours.`,
          'If you don’t expect this, remove them in your settings and contact the program right away.',
        ],
        button,
      }
    const inRole = role && (partnerName === null ? inTeam : atPartner)[role]
    return {
      ...toUser(accountName),
      subject: {
        given: `You joined ${account}’s partner program`,
        changed: `Your role in ${account} was changed`,
        taken: `Your access to ${account} was removed`,
      }[role ? (why ?? 'changed') : 'taken'],
      preview: role ? 'It applies from now on.' : 'Your past work there is kept.',
      parts: [
        role ? `You are now ${inRole} of ${place}.` : `You can no longer open ${place}.`,
        `If you don’t expect this, ask an owner of the ${partnerName === null ? 'account' : 'partner'}.`,
      ],
      button,
    }
  },
  sample: {
    accountName: 'Northwind',
    partnerName: null,
    role: 'finance',
    why: null,
    email: 'sam@northwind.example',
    url: 'https://partners.example.com/',
  },
})

const atPartner: Record<string, string> = { owner: 'an owner', member: 'a member' }
const inTeam: Record<string, string> = {
  owner: 'an owner',
  manager: 'a manager',
  finance: 'in the finance team',
  viewer: 'a viewer',
}
