import { useState } from 'react'
import type { CsvEndpoint } from '#contract/csv.ts'
import { CallError, download } from '../api.ts'
import { t } from '../words.ts'
import { Button } from './Button.tsx'
import { DownloadIcon } from './icons.tsx'
import { saveFile } from './save-file.ts'
import { toast } from './toasts.ts'
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
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    const { limit: _limit, cursor: _cursor, ...asked } = table.query as Record<string, unknown>
    const shown = endpoint.columnNames.filter((name) => !table.hidden.includes(name))
    const isUsual = shown.join() === endpoint.usualNames.join()
    const columns = isUsual ? undefined : shown.join(',')
    try {
      const { file, name } = await download(endpoint, { params, query: { ...asked, columns } })
      saveFile(file, name ?? `${endpoint.file}.csv`)
    } catch (refusal) {
      if (!(refusal instanceof CallError)) throw refusal
      toast(refusal.message, { failed: true })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button small={small} busy={busy} icon={<DownloadIcon size={16} />} onClick={save}>
      {t('table.downloadCsv')}
    </Button>
  )
}
