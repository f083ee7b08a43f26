import { formatNumber } from '#contract/format.ts'
import { moneyInWords } from '#contract/money.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { entryLines, readEntries } from '../about/entries.ts'
import { newsMail } from '../mail.ts'
import { formatAccountName, toPartner } from '../message.ts'
import { earningsMailPhrases } from '../program-text.ts'
import { mailPhrases } from '../text.ts'

export const saleCredited = newsMail({
  group: 'sales',
  title: 'Sale credited',
  description: 'A partner earned a commission.',
  news: { 'commission.created': ({ kind, partnerId }) => (kind === 'earned' ? { to: { partnerId } } : null) },
  read: (gathered) =>
    readEntries(gathered, ({ status, availableAt }, _, timeZone) => {
      if (status === 'held') return { code: status, day: dayIn(timeZone, new Date(availableAt)) }
      return status === 'on-hold' ? { code: status } : null
    }),
  write(data) {
    const { accountName, count, total, currency } = data
    const amount = moneyInWords(total, currency)
    const account = formatAccountName(accountName)
    const { credited } = earningsMailPhrases
    return {
      ...toPartner(accountName),
      subject: count === 1 ? credited.subject({ amount }) : credited.subjectOfMany({ count, amount }),
      preview: credited.preview({ account }),
      parts: [credited.text({ amount, account }), ...entryLines(data)],
      button: { label: mailPhrases.openDashboard, url: data.url },
    }
  },
  editable: {
    kind: () => 'sale-credited',
    values: ({ total, currency, count }) => ({ amount: moneyInWords(total, currency), count: formatNumber(count) }),
    details: entryLines,
  },
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    count: 2,
    total: 60_00,
    lines: [
      {
        name: 'Jane Doe',
        day: '2026-11-20',
        amount: 40_00,
        sale: { amount: 200_00, currency: 'usd' },
        note: { code: 'held', day: '2026-12-20' },
      },
      {
        name: 'Acme',
        day: '2026-11-20',
        amount: 20_00,
        sale: { amount: 100_00, currency: 'usd' },
        note: { code: 'held', day: '2026-12-20' },
      },
    ],
    url: 'https://partners.example.com/dashboard',
  },
})
