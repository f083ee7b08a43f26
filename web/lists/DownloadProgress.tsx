import { type RefObject, useEffect } from 'react'
import { formatCount } from '../format.ts'
import { Button } from '../ui/Button.tsx'
import { useSlow } from '../ui/Panel.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { t } from '../words.ts'
import styles from './DownloadProgress.module.css'

type Props = {
  rows: number
  /** Null if unknown. */
  total: number | null
  cancel: () => void
  /** The box with the button and this. */
  box: RefObject<HTMLElement | null>
}

const isLost = () => document.activeElement === document.body

/** The number of loaded rows of a list's file, once waiting is noticeable. */
export function DownloadProgress({ rows, total, cancel, box }: Props) {
  const slow = useSlow()
  // the pressed button is now disabled or gone: keyboard users stay in its place
  useEffect(() => {
    if (isLost()) box.current?.focus({ preventScroll: true })
    return () => {
      if (isLost() || document.activeElement === box.current)
        box.current?.querySelector('button')?.focus({ preventScroll: true })
    }
  }, [box])
  if (!slow) return null
  const done = formatCount(rows)
  return (
    <span className={styles.progress}>
      <ProgressBar label={t('table.downloadCsv')} done={rows} total={total} />
      <span aria-hidden="true">
        {total === null ? t('progress.soFar', { done }) : t('progress.of', { done, total: formatCount(total) })}
      </span>
      <Button small onClick={cancel}>
        {t('form.cancel')}
      </Button>
    </span>
  )
}
