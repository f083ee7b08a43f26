import { moneyInWords } from '#contract/money.ts'
import { BLOCKED, blockersPart, isMailed, readWaiting, sampleWaiting, waitingValues } from '../about/waiting-money.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'
import { payoutMailPhrases } from '../text.ts'

export const payoutBlocked = newsMail({
  group: 'payouts',
  title: 'Payout blocked',
  description: 'Money is due to a partner, and something stops it.',
  // payout-reminder finds those that were blocked later
  news: {
    'payout.due': ({ partnerId, blockers }) =>
      blockers.some(({ code }) => isMailed(code)) ? { to: { partnerId }, occasion: BLOCKED } : null,
  },
  alone: true,
  read: (gathered) => readWaiting(gathered, ['open']),
  write(data) {
    const amount = moneyInWords(data.amount, data.currency)
    const words = payoutMailPhrases.waiting
    return {
      ...toPartner(data.accountName),
      subject: words.subject({ amount }),
      preview: data.blockers.map(({ message }) => message).join(' · '),
      parts: [words.text({ account: accountFirst(data.accountName), amount }), blockersPart(data)],
      button: { label: payoutMailPhrases.openSettings, url: data.url },
    }
  },
  editable: {
    kind: () => 'payout-blocked',
    values: waitingValues,
    details: (data) => [blockersPart(data)],
  },
  sample: sampleWaiting,
})
