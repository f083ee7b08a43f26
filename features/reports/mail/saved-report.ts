import { rights } from '#contract/endpoint.ts'
import { moneyInWords } from '#contract/money.ts'
import { dimensionInSentence, reportRowInWords } from '#contract/report-in-words.ts'
import { newsMail } from '#server/integrations/mail/mail.ts'
import { type Fact, formatAccountName, nameOr, toTeam } from '#server/integrations/mail/message.ts'
import { insertNews, LATE_DAYS } from '#server/integrations/mail/news-queries.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { countInWords, countryInWords, daysInWords, monthInWords } from '#server/platform/format-values.ts'
import { addDays, daysBetween, firstOfMonth } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import type { ReportDimension, ReportTotals } from '../contract.ts'
import { readReport } from '../server/read-report.ts'
import { daysMailed, reportMailed, reportsMailed } from '../server/saved-reports.ts'

/** Rows that a mail shows. */
const ROWS = 10

const wording = { country: countryInWords, month: monthInWords }

type Row = { name: string } & ReportTotals

export const savedReport = newsMail({
  group: 'summaries',
  title: 'Saved report',
  description: 'A report that you saved, each week or month.',
  alone: true,
  daily: noteReports,
  team: rights.earnOrPay,
  async read({ db, account, origin, news, reader }) {
    const [{ subjectId: id, occasion }] = news as [(typeof news)[number]]
    const saved = await reportMailed(db, { accountId: account.id, id })
    if (!saved || saved.userId !== reader) return null
    const { name, by, sort, search, partnerId } = saved
    const range = daysMailed(occasion.startsWith('week') ? 'week' : 'month', occasion.split(' ')[1]!)
    const report = await readReport(db, account, range, {
      by,
      sort: sort as '-revenue',
      limit: ROWS,
      search: search ?? undefined,
      partnerId: partnerId?.split(','),
    })
    return {
      accountName: account.name,
      name,
      kind: by,
      ...range,
      currency: account.defaultCurrency,
      rows: report.items.map(({ kind, value, name: called, ...figures }) => ({
        name: reportRowInWords(by, { kind, value, name: called }, wording),
        ...figures,
      })),
      others: report.total - report.items.length,
      totals: report.totals,
      url: `${origin}/reports?${new URLSearchParams({
        by,
        from: range.from,
        to: range.to,
        ...(sort !== '-revenue' && { sort }),
        ...(search && { search }),
        ...(partnerId && { partnerId }),
      })}`,
    }
  },
  write({ accountName, name, kind: by, from, to, currency, rows, others, totals, url }) {
    const days = daysInWords(from, to)
    return {
      ...toTeam(accountName),
      subject: `${nameOr(name, 'Your report')}: ${days}`,
      preview: wordsOf(totals, currency),
      parts: [
        `What ${formatAccountName(accountName)} brought in by ${dimensionInSentence(by)}, ${days}.`,
        rows.length > 0
          ? {
              facts: [
                ...rows.map((row) => factOf(row, currency)),
                { ...factOf({ name: 'Total', ...totals }, currency) },
              ],
            }
          : 'Nothing happened in these days.',
        ...(others > 0 ? [`${countInWords(others, 'more row')} in the report.`] : []),
      ],
      button: { label: 'Open report', url },
    }
  },
  sample: {
    accountName: 'Northwind',
    name: 'Links',
    kind: 'link' as ReportDimension,
    from: '2026-11-09',
    to: '2026-11-15',
    currency: 'usd',
    rows: [
      { name: 'Spring offer', ...figures(420, 12, 7, 2_400_00, 480_00) },
      { name: 'No link', ...figures(96, 3, 1, 300_00, 60_00) },
    ] as Row[],
    others: 0,
    totals: figures(516, 15, 8, 2_700_00, 540_00),
    url: 'https://partners.example.com/reports',
  },
})

function figures(clicks: number, leads: number, sales: number, revenue: number, commission: number): ReportTotals {
  const each = { conversion: sales / clicks, earningsPerClick: commission / clicks }
  return { clicks, leads, sales, revenue, commission, profit: revenue - commission, refunds: 0, ...each }
}

const factOf = ({ name, ...row }: Row, currency: string): Fact => ({
  label: nameOr(name, 'Without a name'),
  value: moneyInWords(row.revenue, currency),
  note: wordsOf(row, currency),
})

const wordsOf = ({ clicks, leads, sales, commission }: ReportTotals, currency: string) =>
  [
    clicks !== null && countInWords(clicks, 'click'),
    leads !== null && countInWords(leads, 'lead'),
    `${countInWords(sales, 'sale')}`,
    `${moneyInWords(commission, currency)} commission`,
  ]
    .filter(Boolean)
    .join(', ')

/** Inserts the news of reports due: on Mondays, and on the first of a month. */
async function noteReports(tx: Transaction, { id }: AccountFacts, today: string) {
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const due = {
    ...(sinceMonday <= LATE_DAYS && { week: addDays(today, -sinceMonday) }),
    ...(daysBetween(firstOfMonth(today), today) <= LATE_DAYS && { month: firstOfMonth(today) }),
  }
  const reports = await reportsMailed(tx, id, Object.keys(due))
  await insertNews(
    tx,
    reports.map((report) => ({
      accountId: id,
      partnerId: null,
      kind: 'saved-report',
      subjectId: report.id,
      occasion: `${report.every} ${due[report.every]}`,
    })),
  )
}
