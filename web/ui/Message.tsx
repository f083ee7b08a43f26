import type { ReactNode } from 'react'
import { DoneIcon, ErrorIcon, InfoIcon, WarningIcon } from './icons.tsx'
import styles from './Message.module.css'

type Kind = 'error' | 'info' | 'warning' | 'success'
const icons = { error: ErrorIcon, info: InfoIcon, warning: WarningIcon, success: DoneIcon }

type Props = { kind: Kind; children: ReactNode; action?: ReactNode; ref?: React.Ref<HTMLDivElement> }

/** A tinted line with an icon: errors are announced as alerts, everything else as a status. */
export function Message({ kind, children, action, ref }: Props) {
  const Icon = icons[kind]
  return (
    <div
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      role={kind === 'error' ? 'alert' : 'status'}
      className={styles[kind]}
    >
      <Icon className={styles.icon} />
      <div className={styles.text}>{children}</div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
