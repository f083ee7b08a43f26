import { dayInWords } from '../../../platform/format-values.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { paymentUnclaimed } from '../../../program/payouts/signals.ts'
import { formatPaidAmount, payoutPart, payoutSeen, readPayoutFacts, samplePayout } from '../about/payout.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { findAccount } from '../queries.ts'

export const paymentUnclaimedMail = defineMail({
  group: 'payouts',
  title: 'Payment not claimed',
  description: 'A payment by PayPal waits until its partner accepts it.',
  when: onSignal(paymentUnclaimed, ({ partnerId, payoutId, claimBy }, { id, accountId }) => [
    { id, accountId: accountId!, partnerId, payoutId, claimBy },
  ]),
  async read({ db, config, secrets }, { accountId, partnerId, payoutId, claimBy }) {
    const account = await findAccount(db, accountId)
    const partner = await partnerRecipient(db, accountId, partnerId)
    if (!account || !partner) return null
    if (account.disabledAt) return 'later'
    const payout = await payoutSeen({ db, account }, payoutId)
    // accepted or returned meanwhile
    if (payout?.claimBy !== claimBy) return null
    const facts = await readPayoutFacts({ db, account, secrets, origin: portalUrl(config, account) }, payout)
    return { to: partner.email, userId: partner.userId, accountId, data: { ...facts, day: claimBy } }
  },
  write: ({ day, ...payout }) => ({
    ...toPartner(payout.accountName),
    subject: 'A PayPal payment is waiting for you',
    preview: `Accept it in PayPal by ${dayInWords(day)}.`,
    parts: [
      `${accountFirst(payout.accountName)} paid you ${formatPaidAmount(payout)} by PayPal. Accept it in PayPal by ${dayInWords(day)}.`,
      payoutPart(payout),
      'PayPal sent an email to the address in your payout details, with a link to accept it. If you can’t find it, the address may not belong to a PayPal account, or may not be confirmed. A payment that isn’t accepted is returned, and your balance is unchanged.',
    ],
    button: { label: 'Open payout', url: payout.url },
  }),
  sample: { ...samplePayout, destination: null, byPaypal: true, day: '2026-12-24' },
})
