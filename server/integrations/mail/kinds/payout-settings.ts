import { portalUrl } from '../../../program/hosts/portal-url.ts'
import { emailsAround } from '../../../program/partners/former-emails.ts'
import { payoutDetailsChanged } from '../../../program/payouts/signals.ts'
import { accountOf, toPartner } from '../letter.ts'
import { mail, on } from '../mail.ts'
import { findPartnerAccount } from '../queries.ts'

export const payoutSettings = mail({
  group: 'security',
  title: 'Payout details changed',
  description: 'A partner’s payout details were replaced or removed.',
  when: on(payoutDetailsChanged, async ({ partnerId }, { id, at }, tx) => {
    const recipients = await emailsAround(tx, partnerId, new Date(at))
    return recipients.map((recipient, n) => ({ id: `${id}-${n}`, partnerId, recipient }))
  }),
  async read({ db, config }, { partnerId, recipient }) {
    const account = await findPartnerAccount(db, partnerId)
    if (!account) return null
    if (account.disabledAt) return 'later'
    const { accountId, accountName } = account
    return { to: recipient, accountId, data: { accountName, url: `${portalUrl(config, account)}/partner/settings` } }
  },
  write: ({ accountName, url }) => ({
    ...toPartner(accountName),
    subject: 'Your payout details were changed',
    preview: 'If this wasn’t you, act now.',
    parts: [
      `The payout details for your payouts from ${accountOf(accountName)} were replaced or removed.`,
      'Automatic payouts pause for the next 72 hours. If this wasn’t you, reset your password and contact the program right away.',
    ],
    button: { label: 'Review payout details', url },
  }),
  sample: { accountName: 'Northwind', url: 'https://partners.example.com/partner/settings' },
})
