import { formatCount } from '../format.ts'
import { t } from '../words.ts'
import styles from './ProgressBar.module.css'

type Props = {
  label: string
  done: number
  /** Null while nobody knows. */
  total: number | null
}

/** How far a piece of work has come, with its name: '412 of 1,860' is what it says, or '412 so far'. */
export function ProgressBar({ label, done, total }: Props) {
  const counted = formatCount(done)
  const known =
    total === null
      ? { 'aria-valuetext': t('progress.soFar', { done: counted }) }
      : {
          'aria-valuenow': done,
          'aria-valuemax': total,
          'aria-valuetext': t('progress.of', { done: counted, total: formatCount(total) }),
        }
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
