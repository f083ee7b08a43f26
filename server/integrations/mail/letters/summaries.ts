import type { Dashboard } from '#contract/dashboard.ts'
import { moneyInWords } from '#contract/money.ts'
import { countInWords, daysInWords, numberInWords } from '../../../platform/in-words.ts'
import { onFirstUse } from '../../../platform/on-first-use.ts'
import { accountOf, becauseOwner, becausePartner, type Fact, type Part, writer } from '../letter.ts'

type Figures = { leads: number; sales: number; revenue: number; share: number; profit: number }
type AttentionKind = Dashboard['attention'][number]['kind']

/** `from` and `to` are the first and the last day. */
type Week = {
  accountName: string | null
  from: string
  to: string
  currency: string
  figures: Figures
  before: Figures
  waiting: { kind: AttentionKind; count: number }[]
  url: string
}

const waitingWords: Record<AttentionKind, (count: number) => string> = {
  'unanswered-leads': (count) => `${countInWords(count, 'lead')} without an answer for more than 48 hours`,
  'blocked-payouts': (count) => `${countInWords(count, 'payout')} to act on`,
  'unhealthy-provider': (count) => `${countInWords(count, 'payment provider')} with a problem`,
  'failing-webhook': (count) => `${countInWords(count, 'failing webhook')}`,
  'unattributed-leads': (count) => `${countInWords(count, 'lead')} without a partner`,
  'sales-on-hold': (count) => `${countInWords(count, 'sale')} on hold`,
}

const was = (now: string, before: string) => (now === before ? null : `${before} the week before`)

function figuresOf({ currency, figures, before }: Week): Fact[] {
  const line = (label: string, words: (figures: Figures) => string): Fact => ({
    label,
    value: words(figures),
    note: was(words(figures), words(before)),
  })
  return [
    line('Leads', ({ leads }) => numberInWords(leads)),
    line('Sales', ({ sales }) => numberInWords(sales)),
    line('Revenue', ({ revenue }) => moneyInWords(revenue, currency)),
    line('Commissions', ({ share }) => moneyInWords(share, currency)),
    line('Profit', ({ profit }) => moneyInWords(profit, currency)),
  ]
}

export const weeklySummary = writer<Week>(
  {
    accountName: 'Northwind',
    from: '2026-11-09',
    to: '2026-11-15',
    currency: 'usd',
    figures: { leads: 18, sales: 7, revenue: 2_400_00, share: 480_00, profit: 1_920_00 },
    before: { leads: 12, sales: 7, revenue: 1_900_00, share: 380_00, profit: 1_520_00 },
    waiting: [
      { kind: 'unanswered-leads', count: 3 },
      { kind: 'blocked-payouts', count: 1 },
    ],
    url: 'https://partners.example.com/dashboard',
  },
  (week) => {
    const { accountName, from, to, waiting, url } = week
    const waits: Part[] = waiting.length
      ? [
          'Waiting for you:',
          { facts: waiting.map(({ kind, count }) => ({ label: waitingWords[kind](count), value: '' })) },
        ]
      : ['Nothing is waiting for you.']
    return {
      account: accountName,
      subject: `Your week: ${daysInWords(from, to)}`,
      preview: waiting.map(({ kind, count }) => waitingWords[kind](count)).join(' · ') || 'Nothing is waiting for you.',
      parts: [
        `How ${accountOf(accountName)} did, compared with the week before.`,
        { facts: figuresOf(week) },
        ...waits,
      ],
      button: { label: 'Open dashboard', url },
      because: becauseOwner(accountName),
    }
  },
)

/** Signed minor units. `adjusted` is the sum of manual changes. The balance is the current one. */
type Month = {
  accountName: string | null
  /** YYYY-MM. */
  month: string
  currency: string
  earned: number
  reversed: number
  adjusted: number
  paid: number
  held: number
  due: number
  url: string
}

const months = onFirstUse(() => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }))

export const monthlyStatement = writer<Month>(
  {
    accountName: 'Northwind',
    month: '2026-10',
    currency: 'usd',
    earned: 320_00,
    reversed: -20_00,
    adjusted: 0,
    paid: 180_00,
    held: 90_00,
    due: 30_00,
    url: 'https://partners.example.com/dashboard',
  },
  ({ accountName, month, currency, url, ...sums }) => {
    const named = months().format(new Date(`${month}-01T00:00:00Z`))
    const line = (label: string, amount: number): Fact => ({ label, value: moneyInWords(amount, currency) })
    return {
      account: accountName,
      subject: `Your statement for ${named}`,
      preview: `Earned ${moneyInWords(sums.earned, currency)}, paid ${moneyInWords(sums.paid, currency)}.`,
      parts: [
        `What you earned with ${accountOf(accountName)}, and what was paid to you.`,
        {
          heading: named,
          facts: [
            line('Earned', sums.earned),
            line('Reversed', sums.reversed),
            ...(sums.adjusted === 0 ? [] : [line('Adjustments', sums.adjusted)]),
            line('Paid to you', sums.paid),
          ],
        },
        { heading: 'Your balance today', facts: [line('Held', sums.held), line('Due', sums.due)] },
      ],
      button: { label: 'Open dashboard', url },
      because: becausePartner(accountName),
    }
  },
)
