import { formatNumber } from '#contract/format.ts'
import { moneyInWords } from '#contract/money.ts'
import { entryLines, readEntries } from '../about/entries.ts'
import { newsMail } from '../mail.ts'
import { formatAccountName, toPartner } from '../message.ts'
import { earningsMailPhrases } from '../program-text.ts'
import { mailPhrases } from '../text.ts'

export const refund = newsMail({
  group: 'sales',
  title: 'Refund',
  description: 'A commission was reversed after a refund, a lost dispute or a correction.',
  news: { 'commission.reversed': ({ kind, partnerId }) => (kind === 'reversal' ? { to: { partnerId } } : null) },
  read: (gathered) =>
    readEntries(gathered, ({ refundId }, { refunds, status }) => {
      const refund = refunds.find(({ id }) => id === refundId)
      if (refund) return { code: refund.kind === 'dispute' ? 'disputed' : 'refunded' }
      return { code: status === 'void' ? 'canceled' : 'corrected' }
    }),
  write(data) {
    const { accountName, count, total, currency } = data
    const amount = moneyInWords(-total, currency)
    const account = formatAccountName(accountName)
    const { reversed } = earningsMailPhrases
    return {
      ...toPartner(accountName),
      subject: count === 1 ? reversed.subject({ amount }) : reversed.subjectOfMany({ count, amount }),
      preview: reversed.preview({ account }),
      parts: [
        count === 1 ? reversed.one({ account }) : reversed.many({ account }),
        ...entryLines(data),
        reversed.deducted,
      ],
      button: { label: mailPhrases.openDashboard, url: data.url },
    }
  },
  editable: {
    kind: () => 'refund',
    values: ({ total, currency, count }) => ({ amount: moneyInWords(-total, currency), count: formatNumber(count) }),
    details: entryLines,
  },
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    count: 1,
    total: -40_00,
    lines: [{ name: 'Jane Doe', day: '2026-11-20', amount: -40_00, sale: null, note: { code: 'refunded' } }],
    url: 'https://partners.example.com/dashboard',
  },
})
