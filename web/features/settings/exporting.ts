import { exportAccount } from '#contract/data-transfer.ts'
import { formatBytes } from '../../format.ts'
import { useDownload } from '../../lists/downloads.ts'
import { saveDownload } from '../../lists/save-download.ts'
import { showToast } from '../../ui/toasts.ts'
import { settingsWords } from '../../words/settings.ts'

const keyOf = (accountId: string) => `export ${accountId}`

/** The running export of this account, and why the last one failed. */
export const useExport = (accountId: string) => useDownload(keyOf(accountId))

/** Downloads the account's data and saves the file; a toast reports the end on any screen. */
export async function startExport(accountId: string) {
  const input = { params: { id: accountId } }
  const { file, canceled } = await saveDownload(keyOf(accountId), exportAccount, input, 'tributary-export.zip')
  if (file) showToast(settingsWords.export.done({ size: formatBytes(file.size) }))
  if (canceled) showToast(settingsWords.export.canceled)
}
