import { Panel, Skeleton } from './Panel.tsx'

export { HistoryChart } from './HistoryChart.tsx'

export type SeriesColor = 'revenue' | 'share' | 'profit' | 'leads' | 'sales' | 'muted'

export type Series = {
  /** The number in every period of the history: 'salesRevenue'. */
  key: string
  label: string
  color: SeriesColor
  /** Its days are long over, whatever `today` is: none of its points may change. */
  over?: boolean
}

export type HistoryChartProps = {
  heading: string
  /** Lines for money, bars for counts. */
  kind: 'line' | 'bar'
  /** The answer of a call for historical statistics. */
  history: {
    startDate: string
    endDate: string
    period: 'day' | 'week' | 'month'
    currency: string
    deltas: readonly ({ date: string } & object)[]
  }
  /** In the account's time zone: the period that contains it is not over. */
  today: string
  /** Series that are null in every period are left out. */
  series: readonly Series[]
  /** The values are running totals over the days of a month, labelled by number. */
  running?: boolean
}

/** The placeholder of a chart while its data is loading. */
export const WaitingChart = ({ heading }: { heading: string }) => (
  <Panel heading={heading}>
    <Skeleton rows={5} height={48} />
  </Panel>
)
