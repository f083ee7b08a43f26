import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import { Heading } from './Page.tsx'
import styles from './StandaloneCard.module.css'

type Props = { heading: string; children: ReactNode; below?: ReactNode; logo?: ReactNode }

/** The layout of a standalone screen, such as those before signing in: one centred card under our logo or another. */
export function StandaloneCard({ heading, children, below, logo = <Logo full height={32} /> }: Props) {
  return (
    <main className={styles.layout}>
      <div className={styles.logo}>{logo}</div>
      <div className={`panel stack ${styles.card}`}>
        <Heading>{heading}</Heading>
        {children}
      </div>
      {below && <p className={`small muted ${styles.center}`}>{below}</p>}
    </main>
  )
}

export function StandaloneLinks({ children }: { children: ReactNode }) {
  return <p className={styles.center}>{children}</p>
}

export function StandaloneText({ children }: { children: ReactNode }) {
  return <p className="muted">{children}</p>
}
