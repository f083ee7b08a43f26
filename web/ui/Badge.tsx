import styles from './Badge.module.css'

/** Grey waits, blue moves, green is done, amber needs someone, red failed or was reversed. */
export type Tone = 'waits' | 'moves' | 'done' | 'needs' | 'failed'

/** A state in words, with a mark whose shape says the same as its color. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return <span className={styles[tone]}>{children}</span>
}
