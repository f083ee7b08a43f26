import type { ReactNode } from 'react'
import styles from './Figure.module.css'

type Props = { label: string; children: ReactNode }

/** A large figure below its label, in a `dl`. */
export const Figure = ({ label, children }: Props) => (
  <div>
    <dt className="muted">{label}</dt>
    <dd className={`strong wrap ${styles.figure}`}>{children}</dd>
  </div>
)
