import type { ReactNode } from 'react'
import styles from './CodeBlock.module.css'

/** Text for machines: an address, a script tag, a sample. Long lines wrap. */
export function CodeBlock({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <figure className={`stack gap-1 wrap ${styles.block}`}>
      {label && <figcaption className="muted small">{label}</figcaption>}
      <pre>
        <code>{children}</code>
      </pre>
    </figure>
  )
}
