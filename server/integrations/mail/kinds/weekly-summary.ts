import type { Dashboard } from '#contract/dashboard.ts'
import { rights } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { moneyInWords } from '#contract/money.ts'
import type { Transaction } from '../../../platform/database/pool.ts'
import { countInWords, daysInWords } from '../../../platform/format-values.ts'
import { addDays } from '../../../platform/time/days.ts'
import type { Range } from '../../../platform/time/range.ts'
import type { AccountFacts } from '../../../program/access/account-facts.ts'
import { applicationsBetween } from '../../../program/applications/waiting.ts'
import { listAttentionItems } from '../../../program/dashboard/dashboard.ts'
import { countMoves } from '../../../program/groups/goal-results.ts'
import { previousRange, statsBetween } from '../../../program/stats/history.ts'
import { watched } from '../../attention.ts'
import { type Gathered, newsMail } from '../mail.ts'
import { type Fact, formatAccountName, type Part, toTeam } from '../message.ts'
import { insertNews, LATE_DAYS } from '../news-queries.ts'

type Figures = { leads: number; sales: number; revenue: number; share: number; profit: number }
type AttentionKind = Dashboard['attention'][number]['kind']

export const weeklySummary = newsMail({
  group: 'summaries',
  title: 'Weekly summary',
  description: 'The week of a program, and what waits for its owner.',
  daily: noteWeek,
  team: rights.earn,
  async read(gathered) {
    const { db, account, origin, news } = gathered
    // if two are waiting, such as after an outage, the later one is current
    const from = news
      .map(({ occasion }) => occasion)
      .sort()
      .at(-1)!
    const range = { from, to: addDays(from, 6) }
    const [figures, before, moves, applications, waiting] = await Promise.all([
      figuresOf(gathered, range),
      figuresOf(gathered, previousRange(range)),
      countMoves(db, account, range),
      applicationsBetween(db, account, range),
      listAttentionItems(db, account, watched),
    ])
    if (Object.values({ ...figures, ...moves, applications }).every((figure) => figure === 0) && waiting.length === 0)
      return null
    return {
      accountName: account.name,
      ...range,
      currency: account.defaultCurrency,
      figures,
      before,
      moves,
      applications,
      waiting: waiting.map(({ kind, count }) => ({ kind, count })),
      url: `${origin}/dashboard`,
    }
  },
  write(week) {
    const { accountName, from, to, waiting, url } = week
    const waits: Part[] = waiting.length
      ? ['Waiting for you:', { facts: waiting.map((item) => ({ label: waitInWords(item), value: '' })) }]
      : ['Nothing is waiting for you.']
    return {
      ...toTeam(accountName),
      subject: `Your week: ${daysInWords(from, to)}`,
      preview: waiting.map(waitInWords).join(' · ') || 'Nothing is waiting for you.',
      parts: [
        `How ${formatAccountName(accountName)} did, compared with the week before.`,
        {
          facts: [
            ...factsOf(week.currency, week.figures, week.before),
            ...applicationsOf(week),
            ...movesOf(week.moves),
          ],
        },
        ...waits,
      ],
      button: { label: 'Open dashboard', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    from: '2026-11-09',
    to: '2026-11-15',
    currency: 'usd',
    figures: { leads: 18, sales: 7, revenue: 2_400_00, share: 480_00, profit: 1_920_00 },
    before: { leads: 12, sales: 7, revenue: 1_900_00, share: 380_00, profit: 1_520_00 },
    moves: { up: 3, down: 1 },
    applications: 4,
    waiting: [
      { kind: 'unanswered-leads', count: 3 },
      { kind: 'blocked-payouts', count: 1 },
    ],
    url: 'https://partners.example.com/dashboard',
  },
})

/** Inserts the news of the previous week on Mondays. */
async function noteWeek(tx: Transaction, { id }: AccountFacts, today: string) {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  if (sinceMonday > LATE_DAYS) return
  const monday = addDays(today, -sinceMonday - 7)
  await insertNews(tx, [{ accountId: id, partnerId: null, kind: 'weekly-summary', subjectId: id, occasion: monday }])
}

async function figuresOf({ db, account }: Gathered, range: Range): Promise<Figures> {
  const sight = { revenue: true, profit: true }
  const stats = await statsBetween(db, { accountId: account.id }, range, sight, account.defaultCurrency)
  return {
    leads: stats.numberOfLeads,
    sales: stats.numberOfSales,
    revenue: stats.salesRevenue ?? 0,
    share: stats.salesRevenueShare,
    profit: stats.salesProfit ?? 0,
  }
}

const waitingWords: Partial<Record<AttentionKind, (count: number) => string>> = {
  'unanswered-leads': (count) => `${countInWords(count, 'lead')} without an answer for more than 48 hours`,
  'blocked-payouts': (count) => `${countInWords(count, 'payout')} to act on`,
  'unattributed-leads': (count) => `${countInWords(count, 'lead')} without a partner`,
  'sales-on-hold': (count) => `${countInWords(count, 'sale')} on hold`,
  ...Object.fromEntries(watched.map(({ kind, inWords }) => [kind, inWords])),
}

const waitInWords = ({ kind, count }: { kind: AttentionKind; count: number }) => waitingWords[kind]!(count)

type Applications = { applications: number; waiting: { kind: AttentionKind; count: number }[] }

function applicationsOf({ applications, waiting }: Applications): Fact[] {
  const open = waiting.find(({ kind }) => kind === 'waiting-applications')?.count ?? 0
  const counts = [applications > 0 && `${formatNumber(applications)} new`, open > 0 && `${formatNumber(open)} waiting`]
  const value = counts.filter(Boolean).join(', ')
  return value ? [{ label: 'Applications', value }] : []
}

function movesOf({ up, down }: { up: number; down: number }): Fact[] {
  const counts = [up > 0 && `${formatNumber(up)} up`, down > 0 && `${formatNumber(down)} down`].filter(Boolean)
  return counts.length ? [{ label: 'Moved by goals', value: counts.join(', ') }] : []
}

const was = (now: string, before: string) => (now === before ? null : `${before} the week before`)

function factsOf(currency: string, figures: Figures, before: Figures): Fact[] {
  const line = (label: string, words: (figures: Figures) => string): Fact => ({
    label,
    value: words(figures),
    note: was(words(figures), words(before)),
  })
  return [
    line('Leads', ({ leads }) => formatNumber(leads)),
    line('Sales', ({ sales }) => formatNumber(sales)),
    line('Revenue', ({ revenue }) => moneyInWords(revenue, currency)),
    line('Commissions', ({ share }) => moneyInWords(share, currency)),
    line('Profit', ({ profit }) => moneyInWords(profit, currency)),
  ]
}
