import type { ComponentType } from 'react'
import styles from './Badge.module.css'
import tones from './Tones.module.css'

/** Grey is waiting, blue is under way, green is done, amber needs a person, red failed or was reversed. */
export type Tone = 'waits' | 'moves' | 'done' | 'needs' | 'failed'

/** A state in words, with a mark whose shape means the same as its color. */
export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={`${styles.badge} ${tones[tone]}`} data-tone={tone}>
      {children}
    </span>
  )
}

type DiskProps = {
  tone: Tone
  icon: ComponentType<{ size?: number }>
  /** Height 28 px instead of 22. */
  large?: boolean
}

/** The kind of a thing as an icon on a round tint of its state, next to its words. */
export function Disk({ tone, icon: Icon, large }: DiskProps) {
  return (
    <span className={`${styles.disk} ${tones[tone]}`} data-large={large || undefined}>
      <Icon size={large ? 16 : 14} />
    </span>
  )
}
