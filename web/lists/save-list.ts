import type { CsvEndpoint } from '#contract/csv.ts'
import { showToast } from '../ui/toasts.ts'
import { tableWords } from '../words/lists.ts'
import { columnsOfFile } from './csv-columns.ts'
import { saveDownload } from './save-download.ts'
import type { useTable } from './useTable.ts'

export type ListFile = {
  endpoint: CsvEndpoint
  params?: Record<string, string> | undefined
  /** The list as in the address: its search, filters and order, and the hidden columns. */
  table: Pick<ReturnType<typeof useTable>, 'query' | 'hidden'>
  /** The table's columns in order. */
  columns: readonly { field?: string; csv?: readonly string[] }[]
  /** Only what the table shows: the rest of the file is not for its reader. */
  onlyShown?: boolean | undefined
  /** Columns that the file begins with. */
  first?: readonly string[] | undefined
}

/** Saves a list as shown, with all its pages. */
export async function saveList(key: string, { endpoint, params, table, columns, ...order }: ListFile) {
  const { limit: _limit, cursor: _cursor, ...asked } = table.query as Record<string, unknown>
  const query = { ...asked, columns: columnsOfFile({ endpoint, columns, hidden: table.hidden, ...order }) }
  const { failure, canceled } = await saveDownload(key, endpoint, { params, query }, `${endpoint.file}.csv`)
  if (failure) showToast(failure.message, { failed: true })
  if (canceled) showToast(tableWords.downloadCanceled)
}
