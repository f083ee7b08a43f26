import { createContext, type ReactNode, useContext } from 'react'
import { Logo } from './Logo.tsx'
import { Heading } from './Page.tsx'
import styles from './StandaloneCard.module.css'

/** The mark of the program at whose own domain the screens before signing in are shown. */
export const StandaloneMark = createContext<ReactNode>(null)

/** The element below every card. */
export const StandaloneFoot = createContext<ReactNode>(null)

type Props = { heading: string; children: ReactNode; below?: ReactNode; logo?: ReactNode }

/** The layout of a standalone screen, such as those before signing in: one centred card under our logo or another. */
export function StandaloneCard({ heading, children, below, logo }: Props) {
  const mark = useContext(StandaloneMark)
  const foot = useContext(StandaloneFoot)
  return (
    <main className={styles.layout}>
      <div className={styles.logo}>{logo ?? mark ?? <Logo full height={32} />}</div>
      <div className={`panel stack ${styles.card}`}>
        <Heading>{heading}</Heading>
        {children}
      </div>
      {below && <p className={`small muted ${styles.center}`}>{below}</p>}
      {foot}
    </main>
  )
}

export function StandaloneLinks({ children }: { children: ReactNode }) {
  return <p className={styles.center}>{children}</p>
}

export function StandaloneText({ children }: { children: ReactNode }) {
  return <p className="muted">{children}</p>
}
