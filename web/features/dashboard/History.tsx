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
import { t } from '../../words.ts'
import { accountHistory } from './queries.ts'

type CountProps = { history: HistoricalStats; today: string; clicks?: boolean }

/** `clicks` also charts the clicks. */
export const CountChart = ({ history, today, clicks = false }: CountProps) => (
  <HistoryChart
    heading={t(clicks ? 'dashboard.clicksChart' : 'dashboard.countChart')}
    kind="bar"
    history={history}
    today={today}
    series={[
      ...(clicks ? [{ key: 'numberOfClicks', label: t('stats.clicks'), color: 'revenue' } as const] : []),
      { key: 'numberOfLeads', label: t('stats.leads'), color: 'leads' },
      { key: 'numberOfSales', label: t('stats.sales'), color: 'sales' },
    ]}
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
  const previous = useQuery({ ...accountHistory(accountId, before), enabled: compares }).data
  const both = compares && previous
  return (
    <HistoryChart
      heading={both ? t('stats.revenue') : t('dashboard.moneyChart')}
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
          {t('dashboard.compare')}
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
              { key: 'salesRevenue', label: t('stats.revenue'), color: 'revenue' },
              {
                key: 'previousRevenue',
                label: t('dashboard.revenueOf', { range: formatShortRange(before.from, before.to, range.today) }),
                color: 'muted',
                over: true,
              },
            ]
          : [
              { key: 'salesRevenue', label: t('stats.revenue'), color: 'revenue' },
              { key: 'salesRevenueShare', label: t('stats.share'), color: 'share' },
              { key: 'salesProfit', label: t('stats.profit'), color: 'profit' },
            ]
      }
    />
  )
}

/** Downloads the history shown, one row per period. */
export function DownloadHistory({ history }: { history: HistoricalStats | undefined }) {
  const wide = useMediaQuery('(min-width: 768px)')
  const label = t('dashboard.downloadCsv')
  const rest = {
    icon: <DownloadIcon size={16} />,
    disabled: !history,
    onClick: () => history && saveFile(new Blob([historyCsv(history)], { type: 'text/csv' }), t('dashboard.file')),
  }
  return wide ? <Button {...rest}>{label}</Button> : <IconButton {...rest} bordered label={label} />
}
