import { howPaidInWords } from '#contract/how-paid.ts'
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
import { payoutMailPhrases } from '../text.ts'

const words = payoutMailPhrases.details

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
      ...partner,
      replyTo: (await findPresentOwner(db, accountId))?.email,
      causedBy: accountId,
      data: { accountName, amount, currency, details, ways, url },
    }
  },
  write(data) {
    const { accountName, details, ways, url } = data
    const account = accountFirst(accountName)
    const isMissing = details === 'missing'
    const waits = amountInWords(data)
    return {
      ...toPartner(accountName),
      subject: isMissing ? words.addSubject : words.correctSubject,
      preview: waits || (isMissing ? words.addPreview : words.correctPreview),
      parts: [
        isMissing ? words.add({ account }) : words.correct({ account }),
        ...(waits ? [waits] : []),
        ...(isMissing ? [ways().join(' ')] : []),
      ],
      button: { label: payoutMailPhrases.openSettings, url },
    }
  },
  editable: {
    kind: () => 'payout-details-reminder',
    values: ({ amount, currency }) => ({ amount: amount > 0 ? moneyInWords(amount, currency) : null }),
    details: (data) => [amountInWords(data), data.ways().join(' ')].filter((part) => part !== ''),
  },
  sample: {
    accountName: 'Northwind',
    amount: 125_00,
    currency: 'usd',
    details: 'missing',
    ways: () =>
      howPaidInWords({
        kinds: ['local-bank', 'paypal'],
        paydays: { every: 'week', weekday: 1 },
        automatic: true,
        payoutDelay: 30,
        minimumPayout: 0,
        currency: 'usd',
      }),
    url: 'https://partners.example.com/partner/settings',
  },
})

const amountInWords = ({ amount, currency }: { amount: number; currency: string }) =>
  amount > 0 ? words.waits({ amount: moneyInWords(amount, currency) }) : ''
