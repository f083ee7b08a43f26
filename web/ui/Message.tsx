import { type ReactNode, useEffect, useRef } from 'react'
import { DoneIcon, ErrorIcon, InfoIcon, WarningIcon } from './base-icons.tsx'
import styles from './Message.module.css'

type Kind = 'error' | 'info' | 'warning' | 'success'
const icons = { error: ErrorIcon, info: InfoIcon, warning: WarningIcon, success: DoneIcon }

type Props = {
  kind: Kind
  children: ReactNode
  action?: ReactNode
  /** The message results from a button press: it takes the focus when it appears and whenever this number changes. */
  answers?: number
}

/** A tinted line with an icon: errors are announced as alerts, everything else as a status. */
export function Message({ kind, children, action, answers }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (answers !== undefined) box.current?.focus()
  }, [answers])
  const Icon = icons[kind]
  return (
    <div
      ref={box}
      tabIndex={answers === undefined ? undefined : -1}
      role={kind === 'error' ? 'alert' : 'status'}
      className={styles[kind]}
    >
      <Icon className={styles.icon} />
      <div className={styles.text}>{children}</div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
