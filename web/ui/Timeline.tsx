import type { ComponentType, ReactNode } from 'react'
import { Disk, type Tone } from './Badge.tsx'
import styles from './Timeline.module.css'

export type TimelineEvent = {
  /** An instant, ISO 8601. */
  at: string
  icon: ComponentType<{ size?: number }>
  tone: Tone
  title: ReactNode
  /** The actor, or the reason. */
  text?: ReactNode
}

type Props = {
  label: string
  /** Newest first. */
  events: readonly TimelineEvent[]
  /** Formats an instant. */
  dayOf: (at: string) => string
}

/** Events below one another on a line. */
export function Timeline({ label, events, dayOf }: Props) {
  return (
    <ol aria-label={label} className={`inset ${styles.timeline}`}>
      {events.map(({ at, icon, tone, title, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two events may carry the same instant
        <li key={`${at}-${index}`} className="stack gap-3">
          <Disk tone={tone} icon={icon} />
          <div className="wrap">
            <strong>{title}</strong>
            {text && <p className="muted small">{text}</p>}
          </div>
          <time dateTime={at} className="muted small">
            {dayOf(at)}
          </time>
        </li>
      ))}
    </ol>
  )
}
