import type { ComponentProps, ReactNode } from 'react'
import { Disk } from '../../ui/Badge.tsx'
import { NextIcon } from '../../ui/base-icons.tsx'
import styles from './Line.module.css'

type Props = Pick<ComponentProps<typeof Disk>, 'icon' | 'tone'> & {
  /** Below the link. */
  why?: ReactNode
  /** A link, which covers the whole line; plain text if the line is `still`. */
  children: ReactNode
  still?: boolean
  /** Grey: it waits for nothing that the reader can do. */
  muted?: boolean
}

/** A line of a list in a panel that leads to another page. */
export const Line = ({ icon, tone, why, children, still = false, muted = false }: Props) => (
  <li className={`row gap-3 ${styles.line}`} data-still={still || undefined}>
    <Disk icon={icon} tone={tone} large />
    <div className={muted ? 'rest muted' : 'rest'}>
      {muted ? children : <strong>{children}</strong>}
      {why && (muted ? ' ' : null)}
      {why && (muted ? why : <p className="muted small">{why}</p>)}
    </div>
    {!still && <NextIcon size={16} className="muted" />}
  </li>
)
