import type { ReactNode } from 'react'
import styles from './Name.module.css'

/** A name entered by people, in at most two lines; its own page shows it in full. */
export const Name = ({ children }: { children: ReactNode }) => <span className={styles.name}>{children}</span>
