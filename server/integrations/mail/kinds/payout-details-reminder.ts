import { moneyInWords } from '#contract/money.ts'
import { findPresentOwner } from '../../../program/auth/invitation-queries.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { howPaid } from '../../../program/payouts/payout-summary.ts'
import { findMissingDetails } from '../../../program/payouts/remind-partner.ts'
import { partnerReminded } from '../../../program/payouts/signals.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { findAccount } from '../queries.ts'

export const payoutDetailsReminder = defineMail({
  group: 'reminders',
  title: 'Payout details reminder',
  description: 'An owner asks a partner to enter or correct their payout details.',
  when: onSignal(partnerReminded, ({ partnerId }, { id, accountId }) => [{ id, accountId: accountId!, partnerId }]),
  async read({ db, config }, { accountId, partnerId }) {
    const account = await findAccount(db, accountId)
    const partner = await partnerRecipient(db, accountId, partnerId)
    const missing = account && partner && (await findMissingDetails(db, account, partnerId))
    if (!missing) return null
    if (account.disabledAt) return 'later'
    const { name: accountName, defaultCurrency: currency } = account
    const { details, due: amount } = missing
    const [ways, url] = [await howPaid(db, account), `${portalUrl(config, account)}/partner/settings`]
    return {
      to: partner.email,
      userId: partner.userId,
      replyTo: (await findPresentOwner(db, accountId))?.email,
      causedBy: accountId,
      data: { accountName, amount, currency, details, ways, url },
    }
  },
  write({ accountName, amount, currency, details, ways, url }) {
    const account = accountFirst(accountName)
    const isMissing = details === 'missing'
    const waits = amount > 0 ? `${moneyInWords(amount, currency)} is waiting for you.` : ''
    return {
      ...toPartner(accountName),
      subject: isMissing ? 'Reminder: add your payout details' : 'Reminder: correct your payout details',
      preview: waits || (isMissing ? 'You can’t be paid without them.' : 'A payment to them failed.'),
      parts: [
        isMissing
          ? `${account} asks you to enter the account that payouts go to.`
          : `${account} could not pay with the payout details you entered. Please check your payout details and enter them again.`,
        ...(waits ? [waits] : []),
        ...(isMissing ? [ways.join(' ')] : []),
      ],
      button: { label: 'Open payout settings', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    amount: 125_00,
    currency: 'usd',
    details: 'missing',
    ways: [
      'Commissions are due 30 days after the sale.',
      'Payouts are made automatically every Monday.',
      'Payouts go to a bank account in most countries or a PayPal account.',
    ],
    url: 'https://partners.example.com/partner/settings',
  },
})
