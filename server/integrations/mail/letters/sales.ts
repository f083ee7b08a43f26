import { moneyInWords } from '#contract/money.ts'
import { countInWords, dayInWords } from '../../../platform/in-words.ts'
import { accountOf, andMore, becausePartner, type Fact, MOST_LINES, said, writer } from '../letter.ts'

/**
 * An entry as its partner may see it: `name` is null for another partner's lead, `saleAmount` is in words, or hidden.
 */
type Line = { name: string | null; day: string | null; amount: number; saleAmount: string | null; note: string | null }

type Entries = {
  accountName: string | null
  currency: string
  count: number
  total: number
  lines: Line[]
  url: string
}

const url = 'https://partners.example.com/dashboard'
const sample = { accountName: 'Northwind', currency: 'usd', url }

const factOf = (currency: string, { name, day, amount, saleAmount, note }: Line): Fact => ({
  label: [name === null ? 'Another partner’s lead' : said(name, 'A customer'), day && dayInWords(day)]
    .filter(Boolean)
    .join(', '),
  value: moneyInWords(amount, currency),
  note: [saleAmount && `of a sale of ${saleAmount}`, note].filter(Boolean).join(' · ') || null,
})

const linesOf = ({ lines, currency, count }: Entries) => [
  { facts: lines.slice(0, MOST_LINES).map((line) => factOf(currency, line)) },
  ...andMore(count, Math.min(lines.length, MOST_LINES)),
]

export const saleCredited = writer<Entries>(
  {
    ...sample,
    count: 2,
    total: 60_00,
    lines: [
      { name: 'Jane Doe', day: '2026-11-20', amount: 40_00, saleAmount: '$200.00', note: 'due Dec 20, 2026' },
      { name: 'Acme', day: '2026-11-20', amount: 20_00, saleAmount: '$100.00', note: 'due Dec 20, 2026' },
    ],
  },
  (data) => {
    const { accountName, count, total, currency } = data
    const amount = moneyInWords(total, currency)
    return {
      account: accountName,
      subject: count === 1 ? `You earned ${amount}` : `${countInWords(count, 'sale')} were credited to you: ${amount}`,
      preview: `In commission from ${accountOf(accountName)}.`,
      parts: [`You earned ${amount} in commission from ${accountOf(accountName)}.`, ...linesOf(data)],
      button: { label: 'Open dashboard', url: data.url },
      because: becausePartner(accountName),
    }
  },
)

/** Amounts are negative. */
export const refund = writer<Entries>(
  {
    ...sample,
    count: 1,
    total: -40_00,
    lines: [{ name: 'Jane Doe', day: '2026-11-20', amount: -40_00, saleAmount: null, note: 'refunded' }],
  },
  (data) => {
    const { accountName, count, total, currency } = data
    const amount = moneyInWords(-total, currency)
    return {
      account: accountName,
      subject:
        count === 1
          ? `A commission of ${amount} was reversed`
          : `${countInWords(count, 'commission')} were reversed: ${amount}`,
      preview: `After a refund, a lost dispute or a correction at ${accountOf(accountName)}.`,
      parts: [
        count === 1
          ? `A sale of ${accountOf(accountName)} was refunded or corrected. The commission on it was reversed.`
          : `Sales of ${accountOf(accountName)} were refunded or corrected. The commissions on them were reversed.`,
        ...linesOf(data),
        'If it was already paid to you, it’s deducted from your next payout.',
      ],
      button: { label: 'Open dashboard', url: data.url },
      because: becausePartner(accountName),
    }
  },
)
