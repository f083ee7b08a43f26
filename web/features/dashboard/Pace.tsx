import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Pace as PaceAnswer } from '#contract/dashboard.ts'
import { formatChange, formatMoney, formatShortRange } from '../../format.ts'
import { revenueBehind } from '../../shared/lists-behind.ts'
import { periodName } from '../../ui/chart-scale.ts'
import { HistoryChart, WaitingChart } from '../../ui/charts.tsx'
import { addDays } from '../../ui/date-ranges.ts'
import { Name } from '../../ui/Name.tsx'
import { Failed, Panel } from '../../ui/Panel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { t } from '../../words.ts'
import styles from './Dashboard.module.css'
import { pace } from './queries.ts'

/**
 * Compares this month's revenue with last month's up to the same day, and lists who explains the difference; empty if
 * neither month has any.
 */
export function Pace({ accountId }: { accountId: string }) {
  const { data, error, refetch, isFetching } = useQuery(pace(accountId))
  const heading = t('dashboard.pace.chart')
  if (!data && !error) return <WaitingChart heading={heading} />
  if (!data)
    return (
      <Panel heading={heading}>
        <Failed onRetry={refetch} busy={isFetching} why={error?.message} />
      </Panel>
    )
  if (data.days.every(({ current, previous }) => !current && !previous)) return null
  return (
    <section aria-label={t('dashboard.pace.heading')} className={styles.figures}>
      <div className={styles.thirds}>
        <div className={styles.pace}>
          <StatStrip label={t('dashboard.pace.heading')} stats={sumsOf(data)} />
          <Months pace={data} heading={heading} />
        </div>
        <Partners pace={data} />
        <Leads pace={data} />
      </div>
    </section>
  )
}

/** Returns both sums, each with a link to the list that adds up to it. */
function sumsOf({ current, previous, currency, ...days }: PaceAnswer): Stat[] {
  const { startDate, endDate, previousStartDate, previousEndDate } = days
  const above = (startDate: string, last: string) => ({
    label: formatShortRange(startDate, last, endDate),
    wrap: (label: string) => (
      <Link to="/leads" search={revenueBehind({ startDate, endDate: last })}>
        {label}
      </Link>
    ),
  })
  const [now, before] = [above(startDate, endDate), above(previousStartDate, previousEndDate)]
  const percent = formatChange(current, previous, { fromZero: t('stats.new'), fromBelow: null })
  return [
    {
      ...now,
      value: formatMoney(current, currency),
      note: [signed(current - previous, currency), percent].filter(Boolean).join(', '),
      trend: current > previous ? 'up' : current < previous ? 'down' : undefined,
      than: t('stats.than', { range: before.label }),
    },
    { ...before, value: formatMoney(previous, currency) },
  ]
}

const signed = (amount: number, currency: string) => `${amount > 0 ? '+' : ''}${formatMoney(amount, currency)}`

function Months({
  pace: { startDate, endDate, previousStartDate, currency, days },
  heading,
}: {
  pace: PaceAnswer
  heading: string
}) {
  return (
    <HistoryChart
      heading={heading}
      kind="line"
      running
      today={endDate}
      history={{
        startDate,
        endDate,
        period: 'day',
        currency,
        deltas: days.map((day, at) => ({ date: addDays(startDate, at), ...day })),
      }}
      series={[
        { key: 'current', label: periodName(startDate, 'month'), color: 'revenue' },
        { key: 'previous', label: periodName(previousStartDate, 'month'), color: 'muted', over: true },
      ]}
    />
  )
}

type Row = { key: string; who: ReactNode; amount: number }

const columnsFor = (head: string, currency: string) => [
  { head, cell: ({ who }: Row) => who },
  {
    head: t('dashboard.pace.difference'),
    numeric: true,
    cell: ({ amount }: Row) => (
      <span className={amount > 0 ? styles.up : amount < 0 ? styles.down : styles.muted}>
        {signed(amount, currency)}
      </span>
    ),
  },
]

function Partners({ pace: { partners, otherPartners, currency } }: { pace: PaceAnswer }) {
  const heading = t('dashboard.pace.partners')
  const rows = partners.map(
    ({ partnerId, displayName, current, previous }): Row => ({
      key: partnerId,
      amount: current - previous,
      who: (
        <Name>
          <Link to="/partners/$partnerId" params={{ partnerId }} search={{ range: 'month-to-date' }}>
            {displayName}
          </Link>
        </Name>
      ),
    }),
  )
  const others = {
    key: 'others',
    amount: otherPartners.current - otherPartners.previous,
    who: <span className={styles.muted}>{t('dashboard.pace.otherPartners')}</span>,
  }
  return (
    <Panel heading={heading}>
      <PlainTable
        label={heading}
        rows={[...rows, others]}
        keyOf={({ key }) => key}
        columns={columnsFor(t('columns.partner'), currency)}
      />
    </Panel>
  )
}

function Leads({ pace }: { pace: PaceAnswer }) {
  const { newLeads, lostLeads, otherLeads, currency } = pace
  const heading = t('dashboard.pace.leads')
  const sideOf = ({ top, count, amount }: PaceAnswer['newLeads'], sign: 1 | -1, rest: string): Row[] => {
    const named = top.map(({ leadId, displayName, amount }) => ({
      key: leadId,
      amount: sign * amount,
      who: (
        <Name>
          <Link to="/leads/$leadId" params={{ leadId }}>
            {displayName}
          </Link>
        </Name>
      ),
    }))
    const more = count - top.length
    const left = amount - top.reduce((sum, lead) => sum + lead.amount, 0)
    return more > 0
      ? [...named, { key: rest, amount: sign * left, who: <span className={styles.muted}>{rest}</span> }]
      : named
  }
  const { length: newNamed } = newLeads.top
  const { length: lostNamed } = lostLeads.top
  return (
    <Panel heading={heading}>
      <PlainTable
        label={heading}
        rows={[
          ...sideOf(newLeads, 1, t('dashboard.pace.moreNew', { count: newLeads.count - newNamed })),
          ...sideOf(lostLeads, -1, t('dashboard.pace.moreLost', { count: lostLeads.count - lostNamed })),
          {
            key: 'others',
            amount: otherLeads.current - otherLeads.previous,
            who: <span className={styles.muted}>{t('dashboard.pace.otherLeads')}</span>,
          },
        ]}
        keyOf={({ key }) => key}
        columns={columnsFor(t('columns.lead'), currency)}
      />
    </Panel>
  )
}
