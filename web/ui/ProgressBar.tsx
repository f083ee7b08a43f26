import { formatCount } from '../format.ts'
import { t } from '../words.ts'
import styles from './ProgressBar.module.css'

/** How far a piece of work has come, with its name: '412 of 1,860' is what it says. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={t('progress.of', { done: formatCount(done), total: formatCount(total) })}
      className={styles.bar}
    >
      <span style={{ width: `${total ? Math.min(100, (done / total) * 100) : 0}%` }} />
    </div>
  )
}
