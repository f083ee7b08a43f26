import type { ReactNode } from 'react'
import styles from './EntryCard.module.css'
import { Logo } from './Logo.tsx'
import { Heading } from './Page.tsx'

type Props = { heading: string; children: ReactNode; below?: ReactNode }

/** The layout of a standalone screen, such as those before signing in: one centred card under the logo. */
export function EntryCard({ heading, children, below }: Props) {
  return (
    <main className={styles.layout}>
      <Logo full height={32} />
      <div className={styles.card}>
        <Heading>{heading}</Heading>
        {children}
      </div>
      {below && <p className={styles.below}>{below}</p>}
    </main>
  )
}

export function EntryLinks({ children }: { children: ReactNode }) {
  return <p className={styles.links}>{children}</p>
}

export function EntryText({ children }: { children: ReactNode }) {
  return <p className={styles.text}>{children}</p>
}
