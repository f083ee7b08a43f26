import { moneyInWords } from '#contract/money.ts'
import { BLOCKED, blockersPart, isMailed, readWaiting, sampleWaiting } from '../about/waiting-money.ts'
import { newsMail } from '../mail.ts'
import { accountFirst, toPartner } from '../message.ts'

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
    return {
      ...toPartner(data.accountName),
      subject: `Your payout of ${amount} is waiting`,
      preview: data.blockers.map(({ message }) => message).join(' · '),
      parts: [`${accountFirst(data.accountName)} has ${amount} for you. It can’t be paid yet:`, blockersPart(data)],
      button: { label: 'Open payout settings', url: data.url },
    }
  },
  sample: sampleWaiting,
})
