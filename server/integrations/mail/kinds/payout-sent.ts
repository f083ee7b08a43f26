import type { Payout } from '#contract/payouts.ts'
import {
  findPayout,
  formatPaidAmount,
  type PayoutFacts,
  payoutPart,
  payoutValues,
  readPayoutFacts,
  samplePayout,
} from '../about/payout.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, formatAccountName, nameOr, toPartner } from '../message.ts'
import { payoutMailPhrases } from '../text.ts'

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
  write({ paid, ...payout }) {
    const { accountName, byPaypal, url } = payout
    const { sent, ...words } = payoutMailPhrases
    const amount = formatPaidAmount(payout)
    const account = accountFirst(accountName)
    const sentTo = byPaypal ? sent.toPaypal : sent.toBank
    return {
      ...toPartner(accountName),
      subject: paid ? words.paid.subject({ amount }) : sent.subject({ amount }),
      preview: paid
        ? words.paid.preview({ account: formatAccountName(accountName) })
        : byPaypal
          ? sent.paypalPreview
          : sent.bankPreview,
      parts: [paid ? words.paid.text({ account }) : sentTo({ account }), factsOf(payout)],
      button: { label: words.open, url },
    }
  },
  editable: {
    kind: () => 'payout-sent',
    values: payoutValues,
    details: (payout) => [factsOf(payout)],
  },
  sample: { ...samplePayout, paid: false, reference: null },
})

const factsOf = ({ reference, ...payout }: PayoutFacts & { reference: string | null }) =>
  payoutPart(payout, [{ label: payoutMailPhrases.reference, value: reference && nameOr(reference, '') }])

/** A transfer may go back and forth for weeks: its partner gets one mail per approval. */
export function sentRecipient({ partnerId, approvedAt }: Pick<Payout, 'partnerId' | 'approvedAt'>) {
  return { to: { partnerId }, occasion: `sent, approved ${approvedAt}` }
}
