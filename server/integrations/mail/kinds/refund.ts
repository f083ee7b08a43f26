import { moneyInWords } from '#contract/money.ts'
import { countInWords } from '../../../platform/format-values.ts'
import { entryLines, readEntries } from '../about/entries.ts'
import { newsMail } from '../mail.ts'
import { formatAccountName, toPartner } from '../message.ts'

export const refund = newsMail({
  group: 'sales',
  title: 'Refund',
  description: 'A commission was reversed after a refund, a lost dispute or a correction.',
  news: { 'commission.reversed': ({ kind, partnerId }) => (kind === 'reversal' ? { to: { partnerId } } : null) },
  read: (gathered) =>
    readEntries(gathered, ({ refundId }, { refunds, status }) => {
      const refund = refunds.find(({ id }) => id === refundId)
      if (refund) return refund.kind === 'dispute' ? 'disputed' : 'refunded'
      return status === 'void' ? 'canceled' : 'corrected'
    }),
  write(data) {
    const { accountName, count, total, currency } = data
    const amount = moneyInWords(-total, currency)
    return {
      ...toPartner(accountName),
      subject:
        count === 1
          ? `A commission of ${amount} was reversed`
          : `${countInWords(count, 'commission')} were reversed: ${amount}`,
      preview: `After a refund, a lost dispute or a correction at ${formatAccountName(accountName)}.`,
      parts: [
        count === 1
          ? `A sale of ${formatAccountName(accountName)} was refunded or corrected, or a lead was rejected. The commission on it was reversed.`
          : `Sales of ${formatAccountName(accountName)} were refunded or corrected, or leads were rejected. The commissions on them were reversed.`,
        ...entryLines(data),
        'If it was already paid to you, it’s deducted from your next payout.',
      ],
      button: { label: 'Open dashboard', url: data.url },
    }
  },
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    count: 1,
    total: -40_00,
    lines: [{ name: 'Jane Doe', day: '2026-11-20', amount: -40_00, saleAmount: null, note: 'refunded' }],
    url: 'https://partners.example.com/dashboard',
  },
})
