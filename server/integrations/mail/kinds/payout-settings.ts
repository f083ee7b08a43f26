import { kindInWords } from '#contract/how-paid.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { emailsAround } from '../../../program/partners/former-emails.ts'
import { payoutDetailsChanged } from '../../../program/payouts/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { formatAccountName, toPartner } from '../message.ts'
import { findPartnerAccount } from '../queries.ts'

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
    return { to: recipient, accountId, data: { accountName, goesTo, url } }
  },
  write: ({ accountName, goesTo, url }) => ({
    ...toPartner(accountName),
    subject: 'Your payout details were changed',
    preview: 'If this wasn’t you, act now.',
    parts: [
      `The payout details for your payouts from ${formatAccountName(accountName)} were replaced or removed.`,
      ...(goesTo ? [`Payouts now go to ${kindInWords(goesTo)}.`] : []),
      'Automatic payouts pause for the next 72 hours. If this wasn’t you, reset your password and contact the program right away.',
    ],
    button: { label: 'Review payout details', url },
  }),
  sample: { accountName: 'Northwind', goesTo: 'iban', url: 'https://partners.example.com/partner/settings' },
})
