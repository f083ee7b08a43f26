import type { ReactNode } from 'react'
import styles from './DashboardAside.module.css'

type Props = {
  children: ReactNode
  /** The first panel is a chart with many lines: it takes most of the width. */
  wideFirst?: boolean
}

/** As many panels beside one another as have room. */
export const Beside = ({ children, wideFirst }: Props) => (
  <div className={wideFirst ? `${styles.beside} ${styles.wideFirst}` : styles.beside}>{children}</div>
)
