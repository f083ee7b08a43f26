import type { HistoricalStats } from '#contract/stats.ts'
import { historyCsv } from '../../shared/history.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { HistoryChart } from '../../ui/charts.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { t } from '../../words.ts'

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
