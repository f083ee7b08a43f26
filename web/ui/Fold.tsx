import type { ReactNode } from 'react'
import styles from './Fold.module.css'

type Props = { label: string; open?: boolean; children: ReactNode }

/** Details folded under their label. */
export const Fold = ({ label, open, children }: Props) => (
  <details open={open}>
    <summary className={styles.label}>{label}</summary>
    {children}
  </details>
)
