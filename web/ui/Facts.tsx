import { Fragment, type ReactNode } from 'react'
import styles from './Facts.module.css'

export type Fact = { label: string; value: ReactNode; strong?: boolean; warns?: boolean }

/** What is known of a thing, a line each: values at the right edge, or `beside` their labels. */
export function Facts({ label, facts, beside }: { label: string; facts: readonly Fact[]; beside?: boolean }) {
  return (
    <dl aria-label={label} className={beside ? styles.beside : styles.facts}>
      {facts.map(({ label, value, strong, warns }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd data-strong={strong || undefined} data-warns={warns || undefined}>
            {value}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}
