import type { ReactNode } from 'react'
import styles from './Name.module.css'

/** What people named, in two lines at most, however long it is; whole it stands on its own page. */
export const Name = ({ children }: { children: ReactNode }) => <span className={styles.name}>{children}</span>
