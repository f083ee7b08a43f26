import { useQuery } from '@tanstack/react-query'
import { todayIn } from '../../format.ts'
import { HistoryChart, type Series, WaitingChart } from '../../ui/charts.tsx'
import { Failed, Panel } from '../../ui/Panel.tsx'
import { fieldWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { statsWords } from '../../words/stats.ts'
import { leadHistoryQuery } from './queries.ts'

type Props = { leadId: string; timeZone: string; readOnly: boolean }

/** A lead's figures of the last six months; partners don't see profit. */
export function LeadChart({ leadId, timeZone, readOnly }: Props) {
  const { data, error, refetch, isFetching } = useQuery(leadHistoryQuery(leadId, timeZone))
  const heading = readOnly ? statsWords.revenueAndEarnings : leadWords.chart
  if (data)
    return (
      <HistoryChart
        heading={heading}
        kind="line"
        history={data}
        today={todayIn(timeZone)}
        series={seriesFor(readOnly)}
      />
    )
  if (!error) return <WaitingChart heading={heading} />
  return (
    <Panel heading={heading}>
      <Failed onRetry={refetch} busy={isFetching} why={error.message} />
    </Panel>
  )
}

const seriesFor = (readOnly: boolean): Series[] => [
  { key: 'salesRevenue', label: fieldWords.revenue, color: 'revenue' },
  { key: 'salesRevenueShare', label: readOnly ? statsWords.earnings : statsWords.share, color: 'share' },
  ...(readOnly ? [] : [{ key: 'salesProfit', label: fieldWords.profit, color: 'profit' } as const]),
]
