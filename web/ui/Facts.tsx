import type { ReactNode } from 'react'
import styles from './Facts.module.css'

/** `sum` marks the sum of the lines above it. `id`: set if labels repeat. */
type Line = { id?: string; label: string; value: ReactNode; strong?: boolean; warns?: boolean; sum?: boolean }

/** A fact about a thing; nothing if it does not apply. */
export type Fact = Line | false | null | undefined | '' | 0

type Props = { label: string; facts: readonly Fact[]; beside?: boolean }

/** Facts about a thing, one per line: values at the right edge, or `beside` their labels. */
export function Facts({ label, facts, beside }: Props) {
  return (
    <dl aria-label={label} className={`stack gap-2 ${styles.facts} ${beside ? '' : 'inset'}`}>
      {facts
        .filter((fact) => !!fact)
        .map(({ id, label, value, strong, warns, sum }) => (
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
