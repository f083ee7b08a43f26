import { useRef, useState } from 'react'
import { buildAddress } from '../api.ts'
import { type Action, ActionMenu } from '../ui/ActionMenu.tsx'
import { Button } from '../ui/Button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { withinTwoMinutes } from '../ui/load-limit.ts'
import { showToast } from '../ui/toasts.ts'
import { basicWords } from '../words/basic.ts'
import { tableWords } from '../words/lists.ts'
import styles from './DownloadCsv.module.css'
import { useDownload } from './downloads.ts'
import type { ListFile } from './save-list.ts'

const DownloadProgress = lazyComponent(async () => (await import('./DownloadProgress.tsx')).DownloadProgress)

type Props = ListFile & {
  total: number | null
  /** The page's other actions: instead of a button there is a menu of all. */
  menu?: readonly Action[]
}

/** Saves a list as shown, with its progress and a way to stop it. */
export function DownloadCsv({ total, menu, ...list }: Props) {
  const key = buildAddress(list.endpoint.path, list.params, {})
  const { running } = useDownload(key)
  // another search does not affect the running download
  const [awaited, setAwaited] = useState<number | null>(null)
  const box = useRef<HTMLSpanElement>(null)
  function save() {
    setAwaited(total)
    return withinTwoMinutes(import('./save-list.ts')).then(
      ({ saveList }) => saveList(key, list),
      () => showToast(basicWords.errors.network, { failed: true }),
    )
  }
  return (
    <span ref={box} tabIndex={-1} className={`row ${styles.download}`}>
      {menu ? (
        <ActionMenu
          label={basicWords.actions.more}
          actions={[{ label: tableWords.downloadCsv, disabled: running !== undefined, run: save }, ...menu]}
        >
          {basicWords.actions.more}
        </ActionMenu>
      ) : (
        <Button busy={running !== undefined} icon={<DownloadIcon size={16} />} onClick={save}>
          {tableWords.downloadCsv}
        </Button>
      )}
      {running && <DownloadProgress {...running} total={awaited} box={box} />}
    </span>
  )
}
