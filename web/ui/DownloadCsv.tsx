import type { CsvEndpoint } from '#contract/csv.ts'
import { download } from '../api.ts'
import { t } from '../words.ts'
import { DownloadButton } from './DownloadButton.tsx'
import type { useTable } from './useTable.ts'

type Props<E extends CsvEndpoint> = {
  endpoint: E
  params?: Record<string, string>
  /** The list as the address has it: its search, filters and order, and the columns left out. */
  table: Pick<ReturnType<typeof useTable>, 'query' | 'hidden'>
  small?: boolean
}

/** The button that saves a list as it is shown, all pages of it. */
export function DownloadCsv<E extends CsvEndpoint>({ endpoint, params, table, small }: Props<E>) {
  function load() {
    const { limit: _limit, cursor: _cursor, ...asked } = table.query as Record<string, unknown>
    const shown = endpoint.columnNames.filter((name) => !table.hidden.includes(name))
    const isUsual = shown.join() === endpoint.usualNames.join()
    const columns = isUsual ? undefined : shown.join(',')
    return download(endpoint, { params, query: { ...asked, columns } })
  }
  return (
    <DownloadButton small={small} fallback={`${endpoint.file}.csv`} load={load}>
      {t('table.downloadCsv')}
    </DownloadButton>
  )
}
