import { dayInWords } from '../../../platform/format-values.ts'
import { portalUrl } from '../../../program/custom-domains/portal-url.ts'
import { paymentUnclaimed } from '../../../program/payouts/signals.ts'
import {
  formatPaidAmount,
  payoutPart,
  payoutSeen,
  payoutValues,
  readPayoutFacts,
  samplePayout,
} from '../about/payout.ts'
import { defineMail, onSignal } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { partnerRecipient } from '../news-queries.ts'
import { findAccount } from '../queries.ts'
import { payoutMailPhrases } from '../text.ts'

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
    return {
      ...partner,
      accountId,
      data: { ...facts, day: claimBy },
    }
  },
  write({ day: claimBy, ...payout }) {
    const { unclaimed, open } = payoutMailPhrases
    const day = dayInWords(claimBy)
    return {
      ...toPartner(payout.accountName),
      subject: unclaimed.subject,
      preview: unclaimed.preview({ day }),
      parts: [
        unclaimed.text({ account: accountFirst(payout.accountName), amount: formatPaidAmount(payout), day }),
        payoutPart(payout),
        unclaimed.help,
      ],
      button: { label: open, url: payout.url },
    }
  },
  editable: {
    kind: () => 'payment-unclaimed',
    values: payoutValues,
    details: (payout) => [payoutPart(payout)],
  },
  sample: { ...samplePayout, destination: null, byPaypal: true, day: '2026-12-24' },
})
