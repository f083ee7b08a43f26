import type { ReactNode } from 'react'
import { basicWords } from '../words/basic.ts'
import { Failed, Panel, useSlow } from './Panel.tsx'
import styles from './StatStrip.module.css'

export type Stat = {
  label: string
  value: string
  note?: ReactNode
  /** Colors the note: better, worse, or neither. */
  trend?: 'up' | 'down'
  /** Tints the figure: it requires an action. */
  warns?: boolean
  /** Puts the figure's link around its label. */
  wrap?: (label: string) => ReactNode
}

/** One strip of figures, separated by hairlines. */
export function StatStrip({ label, stats }: { label: string; stats: Stat[] }) {
  // A note that is still loading, null, keeps its place.
  const noted = stats.some(({ note }) => note === null || Boolean(note))
  return (
    <div className={styles.room}>
      <dl aria-label={label} className={`panel ${styles.strip}`} data-count={stats.length} data-long={isLong(stats)}>
        {stats.map(({ label, value, note, trend, warns, wrap }) => (
          <div key={label} className={styles.stat} data-warns={warns || undefined}>
            <dt className={warns ? undefined : 'muted'}>{wrap ? wrap(label) : label}</dt>
            <dd className={`strong ${styles.value}`} data-length={lengthOf(value)}>
              {value}
            </dd>
            {noted && <dd className={`small ${noteLook({ warns, trend })} ${styles.note}`}>{note}</dd>}
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Placeholders of `count` loading figures. */
export function WaitingStats({ count }: { count: number }) {
  const slow = useSlow()
  return (
    <div className={styles.room}>
      <div role="status" aria-label={basicWords.states.loading} className={`panel ${styles.strip}`} data-count={count}>
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike and never move
          <div key={place} className={`${styles.stat} ${styles.waiting}`}>
            {slow && <span className="blank" />}
          </div>
        ))}
      </div>
    </div>
  )
}

type PendingProps = { count: number; answer: { error: Error | null; isFetching: boolean; refetch: () => unknown } }

/** A strip that is not loaded: the placeholders of its figures, or the error. */
export function PendingStats({ count, answer: { error, isFetching, refetch } }: PendingProps) {
  if (!error) return <WaitingStats count={count} />
  return (
    <Panel>
      <Failed onRetry={refetch} busy={isFetching} why={error.message} />
    </Panel>
  )
}

const noteLook = ({ warns, trend }: Pick<Stat, 'warns' | 'trend'>) =>
  warns ? 'strong warning' : trend === 'up' ? 'success' : trend === 'down' ? 'error' : 'muted'

/** Returns whether four figures need two lines on narrow screens. */
const isLong = (stats: Stat[]) =>
  (stats.length < 5 && stats.map(({ value }) => value).join('').length > 30) || undefined

/** Sets long figures smaller, so that none is cut. */
const lengthOf = ({ length }: string) => (length > 13 ? 'huge' : length > 9 ? 'long' : undefined)
