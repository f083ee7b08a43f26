import { kindInWords } from '#contract/how-paid.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { emailsAround } from '../../../program/partners/former-emails.ts'
import { payoutDetailsChanged } from '../../../program/payouts/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, toPartner } from '../message.ts'
import { findLanguage, findPartnerAccount } from '../queries.ts'
import { payoutMailPhrases } from '../text.ts'
import { userMailPhrases } from '../user-text.ts'

const words = payoutMailPhrases.changed

export const payoutSettings = defineMail({
  group: 'security',
  title: 'Payout details changed',
  description: 'A partner’s payout details were replaced or removed.',
  when: onSignal(payoutDetailsChanged, async ({ partnerId, kind }, { id, at }, tx) => {
    const recipients = await emailsAround(tx, partnerId, new Date(at))
    return recipients.map((recipient, n) => ({ id: `${id}-${n}`, partnerId, recipient, goesTo: kind }))
  }),
  async read({ db, config }, { partnerId, recipient, goesTo = null }) {
    const account = await findPartnerAccount(db, partnerId)
    if (!account) return null
    if (account.disabledAt) return 'later'
    const { accountId, accountName } = account
    const url = `${portalUrl(config, account)}/partner/settings`
    const language = await findLanguage(db, recipient, account.language)
    return { to: recipient, language, accountId, data: { accountName, goesTo, url } }
  },
  write: ({ accountName, goesTo, url }) => ({
    ...toPartner(accountName),
    subject: words.subject,
    preview: userMailPhrases.actNow,
    parts: [
      words.text({ account: formatAccountName(accountName) }),
      ...(goesTo ? [words.goTo({ place: kindInWords(goesTo) })] : []),
      words.help,
    ],
    button: { label: words.review, url },
  }),
  sample: { accountName: 'Northwind', goesTo: 'iban', url: 'https://partners.example.com/partner/settings' },
})
