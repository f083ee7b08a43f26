import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import type { HistoricalStats, PartnerHistoricalStats } from '#contract/stats.ts'
import { formatMoney } from '../format.ts'
import { changesIn } from '../ui/change.ts'
import { HistoryChart, type Series, WaitingChart } from '../ui/charts.tsx'
import type { DateRangeState } from '../ui/DateRange.tsx'
import { comparedWith } from '../ui/date-ranges.ts'
import { Failed, Panel } from '../ui/Panel.tsx'
import { type Stat, StatStrip, WaitingStats } from '../ui/StatStrip.tsx'
import { fieldWords } from '../words/fields.ts'
import { statsWords } from '../words/stats.ts'
import { sumPeriods } from './history.ts'
import { leadsBehind } from './lists-behind.ts'
import { partnerHistoryQuery } from './queries.ts'

type Props = {
  partnerId: string
  range: DateRangeState
  label: string
  /** Shows clicks instead of the revenue. */
  clicks?: boolean
  /** Arranges the panels; without a history while it is awaited. */
  children: (earnings: ReactNode, history: PartnerHistoricalStats | undefined) => ReactNode
}

/** A partner's own figures of the range and the chart of their earnings. Only leads link to a list, and revenue may be hidden. */
export function OwnFigures({ partnerId, range, label, clicks = false, children }: Props) {
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(partnerHistoryQuery(partnerId, range))
  const before = useQuery(partnerHistoryQuery(partnerId, comparedWith(range)))
  if (!data && error) {
    return (
      <Panel>
        <Failed onRetry={refetch} busy={isFetching} why={error.message} />
      </Panel>
    )
  }
  if (!data) {
    return (
      <div className="stack">
        <WaitingStats count={4} />
        {children(<WaitingChart heading={statsWords.earnings} />, undefined)}
      </div>
    )
  }
  const compared = before.isPlaceholderData ? undefined : before.data
  return (
    <div className="stack" data-dimmed={isPlaceholderData || undefined} aria-busy={isFetching}>
      <StatStrip label={label} stats={statsOf(data, compared, clicks)} />
      {children(<EarningsChart history={data} today={range.today} />, data)}
    </div>
  )
}

/** Returns the figures, `clicks` first if wanted. */
function statsOf(history: PartnerHistoricalStats, compared: HistoricalStats | undefined, clicks: boolean): Stat[] {
  const { currency } = history
  const now = sumPeriods(history)
  const before = compared && sumPeriods(compared)
  const changed = changesIn(currency)
  const change = (key: keyof typeof now) => changed(now[key], before?.[key])
  const toLeads = (label: string) => (
    <Link to="/leads" search={leadsBehind(history)}>
      {label}
    </Link>
  )
  const revenue: Stat[] =
    clicks || now.revenue === null
      ? []
      : [{ label: fieldWords.revenue, value: formatMoney(now.revenue, currency), ...change('revenue') }]
  return [
    ...(clicks ? [{ label: fieldWords.clicks, value: formatNumber(now.clicks), ...change('clicks') }] : []),
    { label: fieldWords.leads, value: formatNumber(now.leads), wrap: toLeads, ...change('leads') },
    { label: fieldWords.sales, value: formatNumber(now.sales), ...change('sales') },
    ...revenue,
    { label: statsWords.earnings, value: formatMoney(now.share, currency), ...change('share') },
  ]
}

/** A partner's own earnings over time. Earnings from sub-partners' sales are a separate series if there are any. */
function EarningsChart({ history, today }: { history: PartnerHistoricalStats; today: string }) {
  const deltas = history.deltas.map((delta) => ({
    ...delta,
    ownShare: delta.salesRevenueShare - delta.subPartnersShare,
  }))
  const earned: Series[] = deltas.some(({ subPartnersShare }) => subPartnersShare !== 0)
    ? [
        { key: 'ownShare', label: statsWords.ownEarnings, color: 'share' },
        { key: 'subPartnersShare', label: statsWords.subPartnersEarnings, color: 'profit' },
      ]
    : [{ key: 'salesRevenueShare', label: statsWords.earnings, color: 'share' }]
  return (
    <HistoryChart
      heading={statsWords.earnings}
      kind="line"
      history={{ ...history, deltas }}
      today={today}
      series={earned}
    />
  )
}
