import { findPayout, formatPaidAmount, payoutPart, readPayoutFacts, samplePayout } from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'

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
    subject: `Your payout of ${formatPaidAmount(payout)} was approved`,
    preview: 'We’ll email you when it’s sent.',
    parts: [
      `${accountFirst(payout.accountName)} approved your payout. We’ll email you when it’s sent.`,
      payoutPart(payout),
    ],
    button: { label: 'Open payout', url: payout.url },
  }),
  sample: samplePayout,
})
