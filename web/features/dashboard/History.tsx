import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HistoricalStats } from '#contract/stats.ts'
import { formatShortRange } from '../../format.ts'
import { historyCsv } from '../../shared/history.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { HistoryChart } from '../../ui/charts.tsx'
import type { DateRangeState } from '../../ui/DateRange.tsx'
import { comparedWith } from '../../ui/date-ranges.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { dashboardWords } from '../../words/dashboard.ts'
import { fieldWords } from '../../words/fields.ts'
import { statsWords } from '../../words/stats.ts'
import { accountHistoryQuery } from './queries.ts'

type CountProps = { history: HistoricalStats; today: string }

export const CountChart = ({ history, today }: CountProps) => (
  <HistoryChart
    heading={dashboardWords.countChart}
    kind="bar"
    history={history}
    today={today}
    series={[
      { key: 'numberOfLeads', label: fieldWords.leads, color: 'leads' },
      { key: 'numberOfSales', label: fieldWords.sales, color: 'sales' },
    ]}
  />
)

/** Clicks in their own chart: beside them, leads and sales could not be seen. */
export const ClicksChart = ({ history, today }: CountProps) => (
  <HistoryChart
    heading={fieldWords.clicks}
    kind="bar"
    history={history}
    today={today}
    series={[{ key: 'numberOfClicks', label: fieldWords.clicks, color: 'revenue' }]}
  />
)

/** Revenue, share and profit; or revenue beside that of the range before. */
export function MoneyChart({
  accountId,
  history,
  range,
}: {
  accountId: string
  history: HistoricalStats
  range: DateRangeState
}) {
  const [compares, setCompares] = useState(false)
  const before = comparedWith(range)
  const previous = useQuery({ ...accountHistoryQuery(accountId, before), enabled: compares }).data
  const both = compares && previous
  return (
    <HistoryChart
      heading={both ? fieldWords.revenue : dashboardWords.moneyChart}
      kind="line"
      today={range.today}
      aside={
        <Button
          look="quiet"
          small
          aria-pressed={compares}
          busy={compares && !previous}
          onClick={() => setCompares(!compares)}
        >
          {dashboardWords.compare}
        </Button>
      }
      history={
        both
          ? {
              ...history,
              deltas: history.deltas.map((delta, at) => ({
                ...delta,
                previousRevenue: previous.deltas[at]?.salesRevenue ?? null,
              })),
            }
          : history
      }
      series={
        both
          ? [
              { key: 'salesRevenue', label: fieldWords.revenue, color: 'revenue' },
              {
                key: 'previousRevenue',
                label: dashboardWords.revenueOf({ range: formatShortRange(before.from, before.to, range.today) }),
                color: 'muted',
                over: true,
              },
            ]
          : [
              { key: 'salesRevenue', label: fieldWords.revenue, color: 'revenue' },
              { key: 'salesRevenueShare', label: statsWords.share, color: 'share' },
              { key: 'salesProfit', label: fieldWords.profit, color: 'profit' },
            ]
      }
    />
  )
}

/** Downloads the history shown, one row per period. */
type DownloadProps = { history: HistoricalStats | undefined; small?: boolean }

export function DownloadHistory({ history, small }: DownloadProps) {
  const wide = useMediaQuery('(min-width: 768px)')
  const label = dashboardWords.downloadCsv
  const rest = {
    small,
    icon: <DownloadIcon size={16} />,
    disabled: !history,
    onClick: () => history && saveFile(new Blob([historyCsv(history)], { type: 'text/csv' }), dashboardWords.file),
  }
  return wide ? <Button {...rest}>{label}</Button> : <IconButton {...rest} bordered label={label} />
}
