import type { HistoricalStats } from '#contract/stats.ts'
import { historyCsv } from '../../history.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { HistoryChart } from '../../ui/charts.tsx'
import { DownloadIcon } from '../../ui/icons.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { t } from '../../words.ts'

export const CountChart = ({ history, today }: { history: HistoricalStats; today: string }) => (
  <HistoryChart
    heading={t('dashboard.countChart')}
    kind="bar"
    history={history}
    today={today}
    series={[
      { key: 'numberOfLeads', label: t('stats.leads'), color: 'leads' },
      { key: 'numberOfSales', label: t('stats.sales'), color: 'sales' },
    ]}
  />
)

/** The history that is shown, a row a period. */
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
