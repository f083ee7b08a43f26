import type { Payout } from '#contract/payouts.ts'
import {
  findPayout,
  formatPaidAmount,
  type PayoutFacts,
  payoutPart,
  readPayoutFacts,
  samplePayout,
} from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, formatAccountName, nameOr, toPartner } from '../message.ts'

export const payoutSent = newsMail({
  group: 'payouts',
  title: 'Payout sent',
  description: 'A payout is on its way to a partner, or was paid by other means.',
  news: {
    'payout.sent': sentRecipient,
    // a mail was already sent when the money left
    'payout.paid': (payout) => (payout.sentAt ? null : sentRecipient(payout)),
  },
  alone: true,
  async read(gathered) {
    const payout = await findPayout(gathered)
    if (payout?.status !== 'sent' && payout?.status !== 'paid') return null
    // another mail reports that it waits to be accepted
    if (payout.claimBy !== null) return null
    const facts = await readPayoutFacts(gathered, payout)
    return {
      ...facts,
      paid: payout.sentAt === null || (facts.byPaypal && payout.status === 'paid'),
      reference: payout.externalReference,
    }
  },
  write: ({ paid, reference, ...payout }) => ({
    ...toPartner(payout.accountName),
    subject: `Your payout of ${formatPaidAmount(payout)} ${paid ? 'was paid' : 'is on its way'}`,
    preview: paid ? `Paid by ${formatAccountName(payout.accountName)}.` : ARRIVES[to(payout)],
    parts: [
      paid
        ? `${accountFirst(payout.accountName)} paid your payout.`
        : `${accountFirst(payout.accountName)} sent your payout to your ${to(payout)}. ${ARRIVES[to(payout)]}`,
      payoutPart(payout, [{ label: 'Reference', value: reference && nameOr(reference, '') }]),
    ],
    button: { label: 'Open payout', url: payout.url },
  }),
  sample: { ...samplePayout, paid: false, reference: null },
})

const ARRIVES = {
  'bank account': 'It arrives within a few business days.',
  'PayPal account': 'PayPal emails you when it arrives.',
}
const to = ({ byPaypal }: PayoutFacts) => (byPaypal ? 'PayPal account' : 'bank account')

/** A transfer may go back and forth for weeks: its partner gets one mail per approval. */
export function sentRecipient({ partnerId, approvedAt }: Pick<Payout, 'partnerId' | 'approvedAt'>) {
  return { to: { partnerId }, occasion: `sent, approved ${approvedAt}` }
}
