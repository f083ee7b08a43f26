import {
  findPayout,
  formatPaidAmount,
  payoutPart,
  payoutValues,
  readPayoutFacts,
  samplePayout,
} from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { payoutMailPhrases } from '../text.ts'

export const payoutApproved = newsMail({
  group: 'payouts',
  title: 'Payout approved',
  description: 'A payout to a partner was approved.',
  news: { 'payout.approved': ({ partnerId }) => ({ to: { partnerId } }) },
  alone: true,
  async read(gathered) {
    const payout = await findPayout(gathered)
    // one sent meanwhile gets the mail about sending
    if (!payout || !['approved', 'processing', 'awaiting-funding'].includes(payout.status)) return null
    return readPayoutFacts(gathered, payout)
  },
  write: (payout) => ({
    ...toPartner(payout.accountName),
    subject: payoutMailPhrases.approved.subject({ amount: formatPaidAmount(payout) }),
    preview: payoutMailPhrases.approved.preview,
    parts: [payoutMailPhrases.approved.text({ account: accountFirst(payout.accountName) }), payoutPart(payout)],
    button: { label: payoutMailPhrases.open, url: payout.url },
  }),
  editable: {
    kind: () => 'payout-approved',
    values: payoutValues,
    details: (payout) => [payoutPart(payout)],
  },
  sample: samplePayout,
})
