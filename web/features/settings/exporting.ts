import { useSyncExternalStore } from 'react'
import { ESTIMATED_BYTES, exportAccount } from '#contract/data-transfer.ts'
import { CallError, download } from '../../api.ts'
import { formatBytes } from '../../format.ts'
import { whileRunning } from '../../running.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'

export type Exporting = {
  /** 0 to 99: how much there will be is estimated, so only its end is a hundred. */
  percent: number
  receivedBytes: number
  cancel: () => void
}
type State = { running?: Exporting; failure?: CallError }

/** By account. It goes on while other screens are shown, so no screen holds it. */
const states = new Map<string, State>()
const listeners = new Set<() => void>()
const nothing: State = {}

function set(accountId: string, state: State) {
  states.set(accountId, state)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The export of this account that is under way, and why the last one failed. */
export const useExport = (accountId: string) => useSyncExternalStore(subscribe, () => states.get(accountId) ?? nothing)

/** Downloads the account and saves it; says so when it is done, whichever screen is shown by then. */
export const startExport = (accountId: string): Promise<void> => whileRunning(() => exporting(accountId))

async function exporting(accountId: string) {
  const stopping = new AbortController()
  const cancel = () => stopping.abort()
  set(accountId, { running: { percent: 0, receivedBytes: 0, cancel } })
  try {
    const input = { params: { id: accountId }, signal: stopping.signal }
    const { file, name } = await download(exportAccount as never, input, (receivedBytes, headers) => {
      const percent = Math.min(
        99,
        Math.floor((100 * receivedBytes) / (Number(headers.get(ESTIMATED_BYTES)) || Infinity)),
      )
      set(accountId, { running: { percent, receivedBytes, cancel } })
    })
    saveFile(file, name ?? 'tributary-export.zip')
    set(accountId, {})
    toast(t('settings.export.done', { size: formatBytes(file.size) }))
  } catch (reason) {
    set(accountId, reason instanceof CallError ? { failure: reason } : {})
    if (stopping.signal.aborted) toast(t('settings.export.canceled'))
    else if (!(reason instanceof CallError)) throw reason
  }
}
