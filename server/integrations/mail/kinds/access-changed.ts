import type { Word } from '#contract/format.ts'
import type { AccessChange } from '../../../program/auth/signals.ts'
import { accessChanged } from '../../../program/auth/signals.ts'
import type { MemberRole } from '../../../program/auth/users.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { emailsAround } from '../../../program/partners/former-emails.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, nameOr, toPartner, toUser } from '../message.ts'
import { findAccount, findLanguage, findPartnerAccount, findUser } from '../queries.ts'
import { mailPhrases } from '../text.ts'
import { userMailPhrases } from '../user-text.ts'

const words = userMailPhrases.access

type Say = Partial<Record<MemberRole | 'taken', (values: { account: Word; partner: Word }) => string>>
const inTeam: Say = words.inTeam
const atPartner: Say = words.atPartner

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
    const data = { accountName: account.name, partnerName: partner?.partnerName ?? null, role, why, email: user.to }
    const to = recipient ?? user.to
    return {
      to,
      language: await findLanguage(db, to, partner?.language ?? 'en'),
      data: { ...data, url: partner ? `${portalUrl(config, partner)}/dashboard` : `${config.appUrl}/` },
    }
  },
  write({ accountName, partnerName, role, why, email, url }) {
    const account = formatAccountName(accountName)
    const partner = nameOr(partnerName, mailPhrases.aPartner)
    const button = { label: words.open, url }
    if (why === 'asked')
      return {
        ...toPartner(accountName),
        subject: words.asked.subject({ account }),
        preview: words.asked.preview,
        parts: [words.asked.text({ account, email, partner }), words.asked.help],
        button,
      }
    const [place, say] = partnerName === null ? [words.inTeam, inTeam] : [words.atPartner, atPartner]
    return {
      ...toUser(accountName),
      subject: words.subject[role ? (why ?? 'changed') : 'taken']({ account }),
      preview: role ? words.applies : words.workKept,
      parts: [say[role ?? 'taken']?.({ account, partner }) ?? '', place.help],
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
