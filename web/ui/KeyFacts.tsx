import type { ReactNode } from 'react'
import { WaitIcon } from './icons.tsx'
import styles from './KeyFacts.module.css'

type Props = {
  label: string
  /** The current state: 'Due $903.49 since Aug 3'. */
  facts: readonly { key: string; text: ReactNode }[]
  /** Why it stays like that, each with a remedy. */
  reasons: readonly { key: string; text: ReactNode; action?: ReactNode }[]
}

/** The placeholder until it is known whether there is something to show. */
export const WaitingKeyFacts = () => <div className={styles.waiting} />

/** The most important facts of a page, above everything else on it; nothing if there are none. */
export function KeyFacts({ label, facts, reasons }: Props) {
  if (facts.length === 0 && reasons.length === 0) return null
  return (
    <section aria-label={label} className={`panel row ${styles.facts}`}>
      {facts.length > 0 && (
        <p className="row">
          {facts.map(({ key, text }) => (
            <span key={key}>{text}</span>
          ))}
        </p>
      )}
      {reasons.length > 0 && (
        <ul className={`row ${styles.reasons}`}>
          {reasons.map(({ key, text, action }) => (
            <li key={key} className="row">
              <span className="row no-wrap">
                <span className="warning">
                  <WaitIcon size={16} />
                </span>
                <span>{text}</span>
              </span>
              {action}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
