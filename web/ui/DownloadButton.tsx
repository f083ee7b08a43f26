import { useState } from 'react'
import { CallError } from '../api.ts'
import { Button } from './Button.tsx'
import { DownloadIcon } from './icons.tsx'
import { saveFile } from './save-file.ts'
import { showToast } from './toasts.ts'

type Props = {
  load: () => Promise<{ file: Blob; name: string | undefined }>
  /** File name if the server sends none. */
  fallback: string
  /** Follows a successful download. */
  done?: (() => void) | undefined
  small?: boolean | undefined
  /** The reason that nothing can be downloaded. */
  cannot?: string | undefined
  children: string
}

/** Returns what saves a file once it is loaded, or shows why it failed. */
export function useDownloadedFile({ load, fallback, done }: Pick<Props, 'load' | 'fallback' | 'done'>) {
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const { file, name } = await load()
      saveFile(file, name ?? fallback)
      done?.()
    } catch (refusal) {
      if (!(refusal instanceof CallError)) throw refusal
      showToast(refusal.message, { failed: true })
    } finally {
      setBusy(false)
    }
  }
  return { busy, save }
}

export function DownloadButton({ small, cannot, children, ...file }: Props) {
  const { busy, save } = useDownloadedFile(file)
  return (
    <Button small={small} cannot={cannot} busy={busy} icon={<DownloadIcon size={16} />} onClick={save}>
      {children}
    </Button>
  )
}
