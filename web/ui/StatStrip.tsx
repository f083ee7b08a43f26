import type { ReactNode } from 'react'
import styles from './StatStrip.module.css'

export type Stat = {
  label: string
  value: string
  note?: ReactNode
  /** Colors the note: better, worse, or neither. */
  trend?: 'up' | 'down'
  /** Tints the figure: somebody has to do something. */
  warns?: boolean
  /** Puts the figure's link around its label. */
  wrap?: (label: string) => ReactNode
}

/** One strip of figures, parted by hairlines. */
export function StatStrip({ label, stats }: { label: string; stats: Stat[] }) {
  // A note that is still on its way keeps its place.
  const noted = stats.some(({ note }) => note !== undefined)
  return (
    <div className={styles.room}>
      <dl aria-label={label} className={styles.strip} data-count={stats.length}>
        {stats.map(({ label, value, note, trend, warns, wrap }) => (
          <div key={label} className={warns ? styles.warns : styles.stat}>
            <dt>{wrap ? wrap(label) : label}</dt>
            <dd className={styles.value} data-length={lengthOf(value)}>
              {value}
            </dd>
            {noted && (
              <dd className={styles.note} data-trend={trend}>
                {note}
              </dd>
            )}
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Long figures are set smaller, so that none is cut. */
const lengthOf = ({ length }: string) =>
  length > 13 ? 'huge' : length > 12 ? 'longest' : length > 9 ? 'long' : undefined
