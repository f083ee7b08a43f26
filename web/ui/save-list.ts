import type { CsvEndpoint } from '#contract/csv.ts'
import { t } from '../words.ts'
import { columnsOfFile } from './csv-columns.ts'
import { saveDownload } from './save-download.ts'
import { toast } from './toasts.ts'
import type { useTable } from './useTable.ts'

export type ListFile = {
  endpoint: CsvEndpoint
  params?: Record<string, string> | undefined
  /** The list as the address has it: its search, filters and order, and the columns left out. */
  table: Pick<ReturnType<typeof useTable>, 'query' | 'hidden'>
  /** Of the table, in their order. */
  columns: readonly { field?: string; csv?: readonly string[] }[]
  /** Nothing but what the table shows: what else the file could hold is not for its reader. */
  onlyShown?: boolean | undefined
}

/** Saves a list as it is shown, all pages of it. */
export async function saveList(key: string, { endpoint, params, table, columns, onlyShown }: ListFile) {
  const { limit: _limit, cursor: _cursor, ...asked } = table.query as Record<string, unknown>
  const query = { ...asked, columns: columnsOfFile({ endpoint, columns, hidden: table.hidden, onlyShown }) }
  const { failure, canceled } = await saveDownload(key, endpoint, { params, query }, `${endpoint.file}.csv`)
  if (failure) toast(failure.message, { failed: true })
  if (canceled) toast(t('table.downloadCanceled'))
}
