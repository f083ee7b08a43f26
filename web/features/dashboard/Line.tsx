import type { ComponentProps, ReactNode } from 'react'
import { Disk } from '../../ui/Badge.tsx'
import { NextIcon } from '../../ui/base-icons.tsx'
import styles from './Line.module.css'

type Props = Pick<ComponentProps<typeof Disk>, 'icon' | 'tone'> & {
  /** Below the link. */
  why?: ReactNode
  /** A link, which covers the whole line. */
  children: ReactNode
}

/** A line of a list in a panel that leads to another page. */
export const Line = ({ icon, tone, why, children }: Props) => (
  <li className={`row gap-3 ${styles.line}`}>
    <Disk icon={icon} tone={tone} large />
    <div className="rest">
      <strong>{children}</strong>
      {why && <p className="muted small">{why}</p>}
    </div>
    <NextIcon size={16} className="muted" />
  </li>
)
