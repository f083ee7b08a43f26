import type { ReactNode } from 'react'
import styles from './Fold.module.css'

/** Details folded under their label. */
export const Fold = ({ label, children }: { label: string; children: ReactNode }) => (
  <details>
    <summary className={styles.label}>{label}</summary>
    {children}
  </details>
)
