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

/** Charts beside one another, also on a phone, where the reader slides to the next. */
export const Slides = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what slides must be reached by keys, also without a button inside
  <section aria-label={label} tabIndex={0} className={`${styles.beside} ${styles.slides}`}>
    {children}
  </section>
)
