import { formatCount } from '../format.ts'
import { t } from '../words.ts'
import styles from './ProgressBar.module.css'

type Props = {
  label: string
  done: number
  /** Null while nobody knows. */
  total: number | null
  /** What it says instead of how much is done. */
  says?: string | undefined
}

/** How far a piece of work has come, with its name: '412 of 1,860' is what it says, or '412 so far'. */
export function ProgressBar({ label, done, total, says = countedOf({ done, total }) }: Props) {
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

/** '412 of 1,860', or '412 so far'. */
export const countedOf = ({ done, total }: Pick<Props, 'done' | 'total'>) =>
  total === null
    ? t('progress.soFar', { done: formatCount(done) })
    : t('progress.of', { done: formatCount(done), total: formatCount(total) })
