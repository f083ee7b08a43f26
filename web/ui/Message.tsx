import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { DoneIcon, ErrorIcon, InfoIcon, WarningIcon } from './base-icons.tsx'
import styles from './Message.module.css'
import tones from './Tones.module.css'

type Kind = 'error' | 'info' | 'warning' | 'success'
const looks = {
  error: [ErrorIcon, tones.failed],
  info: [InfoIcon, tones.moves],
  warning: [WarningIcon, tones.needs],
  success: [DoneIcon, tones.done],
} as const

type Props = {
  kind: Kind
  children: ReactNode
  action?: ReactNode
  /** The message results from a button press: it takes the focus when it appears and whenever this number changes. */
  answers?: number
  /** The last of these numbers: a message that comes back without a new press leaves the focus where it is. */
  answered?: RefObject<number>
}

/** A tinted line with an icon: errors are announced as alerts, everything else as a status. */
export function Message({ kind, children, action, answers, answered }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (answers === undefined || answers === answered?.current) return
    if (answered) answered.current = answers
    box.current?.focus()
  }, [answers, answered])
  const [Icon, tone] = looks[kind]
  return (
    <div
      ref={box}
      tabIndex={answers === undefined ? undefined : -1}
      role={kind === 'error' ? 'alert' : 'status'}
      className={`${styles.message} ${tone}`}
    >
      <Icon />
      <div className={`wrap linked ${styles.text}`}>{children}</div>
      {action && <div className={`strong ${styles.action}`}>{action}</div>}
    </div>
  )
}
