import type { ReactNode } from 'react'
import styles from './TwoColumns.module.css'

type Props = {
  children: ReactNode
  /** Context: below the work on a narrow screen. Without it, the work uses the full width. */
  aside: ReactNode
  /** The work is a form: 640 px wide, and the context gets the rest. */
  form?: boolean
  /** The context contains code: 404 px wide if there is room. */
  code?: boolean
}

/** Work on the left, context on the right: 300 px from 1280 px on, 340 px from 1400 px on. */
export function TwoColumns({ children, aside, form, code }: Props) {
  return (
    <div
      className={`stack ${aside === undefined ? '' : styles.columns} ${form ? styles.form : code ? styles.code : ''}`}
    >
      <div className="stack">{children}</div>
      {aside !== undefined && <div className="stack">{aside}</div>}
    </div>
  )
}
