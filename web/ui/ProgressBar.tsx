import { formatNumber } from '#contract/format.ts'
import { pieceWords } from '../words/pieces.ts'
import styles from './ProgressBar.module.css'

type Props = {
  label: string
  done: number
  /** Null if unknown. */
  total: number | null
  /** Replaces the text of the progress. */
  says?: string | undefined
}

/** The progress of a piece of work, with its name: '412 of 1,860', or '412 so far'. */
export function ProgressBar({ label, done, total, says = formatProgress({ done, total }) }: Props) {
  const known =
    total === null
      ? { 'aria-valuetext': says }
      : { 'aria-valuenow': done, 'aria-valuemax': total, 'aria-valuetext': says }
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...known}
      className={total === null ? styles.open : styles.bar}
    >
      <span style={total === null ? undefined : { width: `${total ? Math.min(100, (done / total) * 100) : 0}%` }} />
    </div>
  )
}

/** Returns '412 of 1,860', or '412 so far'. */
export const formatProgress = ({ done, total }: Pick<Props, 'done' | 'total'>) =>
  total === null
    ? pieceWords.progress.soFar({ done: formatNumber(done) })
    : pieceWords.progress.of({ done: formatNumber(done), total: formatNumber(total) })
