import type { ReactNode } from 'react'
import styles from './Facts.module.css'

/** `sum` marks the sum of the lines above it. `id`: set if labels repeat. */
export type Fact = { id?: string; label: string; value: ReactNode; strong?: boolean; warns?: boolean; sum?: boolean }

/** Facts about a thing, one per line: values at the right edge, or `beside` their labels. */
export function Facts({ label, facts, beside }: { label: string; facts: readonly Fact[]; beside?: boolean }) {
  return (
    <dl aria-label={label} className={`stack gap-2 ${styles.facts} ${beside ? '' : 'inset'}`}>
      {facts.map(({ id, label, value, strong, warns, sum }) => (
        <div
          key={id ?? label}
          className={`${beside ? styles.beside : styles.apart} ${sum ? `strong ${styles.sum}` : ''}`}
        >
          <dt className={sum ? 'wrap' : 'wrap muted'}>{label}</dt>
          <dd className={`wrap ${strong ? 'strong' : ''} ${warns ? 'warning' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
