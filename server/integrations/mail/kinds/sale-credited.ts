import { moneyInWords } from '#contract/money.ts'
import { countInWords, dayInWords } from '../../../platform/format-values.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { entryLines, readEntries } from '../about/entries.ts'
import { newsMail } from '../mail.ts'
import { formatAccountName, toPartner } from '../message.ts'

export const saleCredited = newsMail({
  group: 'sales',
  title: 'Sale credited',
  description: 'A partner earned a commission.',
  news: { 'commission.created': ({ kind, partnerId }) => (kind === 'earned' ? { to: { partnerId } } : null) },
  read: (gathered) =>
    readEntries(gathered, ({ status, availableAt }, _, timeZone) => {
      if (status === 'held') return `due ${dayInWords(dayIn(timeZone, new Date(availableAt)))}`
      return status === 'on-hold' ? 'under review' : null
    }),
  write(data) {
    const { accountName, count, total, currency } = data
    const amount = moneyInWords(total, currency)
    return {
      ...toPartner(accountName),
      subject: count === 1 ? `You earned ${amount}` : `${countInWords(count, 'sale')} were credited to you: ${amount}`,
      preview: `In commission from ${formatAccountName(accountName)}.`,
      parts: [`You earned ${amount} in commission from ${formatAccountName(accountName)}.`, ...entryLines(data)],
      button: { label: 'Open dashboard', url: data.url },
    }
  },
  sample: {
    accountName: 'Northwind',
    currency: 'usd',
    count: 2,
    total: 60_00,
    lines: [
      { name: 'Jane Doe', day: '2026-11-20', amount: 40_00, saleAmount: '$200.00', note: 'due Dec 20, 2026' },
      { name: 'Acme', day: '2026-11-20', amount: 20_00, saleAmount: '$100.00', note: 'due Dec 20, 2026' },
    ],
    url: 'https://partners.example.com/dashboard',
  },
})
