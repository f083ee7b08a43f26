import { type RefObject, useEffect } from 'react'
import { formatNumber } from '#contract/format.ts'

import { Button } from '../ui/Button.tsx'
import { useSlow } from '../ui/Panel.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { formWords } from '../words/forms.ts'
import { tableWords } from '../words/lists.ts'
import { pieceWords } from '../words/pieces.ts'
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
  const done = formatNumber(rows)
  return (
    <span className={`overlay row no-wrap ${styles.progress}`}>
      <ProgressBar label={tableWords.downloadCsv} done={rows} total={total} />
      <span aria-hidden="true" className="muted">
        {total === null
          ? pieceWords.progress.soFar({ done })
          : pieceWords.progress.of({ done, total: formatNumber(total) })}
      </span>
      <Button small onClick={cancel}>
        {formWords.cancel}
      </Button>
    </span>
  )
}
