import { CloseIcon, DoneIcon, PauseIcon } from './icons.tsx'
import styles from './StepMark.module.css'
import tones from './Tones.module.css'

/** The state of a step: done, under way, waiting, failed or undone, or still to come. */
export type StepState = 'done' | 'now' | 'waits' | 'failed' | 'ahead'

const toneOf = { done: 'done', now: 'moves', waits: 'needs', failed: 'failed', ahead: 'waits' } as const
const icons = { done: DoneIcon, waits: PauseIcon, failed: CloseIcon }

/** The round mark before a step. */
export function StepMark({ state }: { state: StepState }) {
  const Icon = state === 'now' || state === 'ahead' ? null : icons[state]
  return <span className={`centered ${styles.mark} ${tones[toneOf[state]]}`}>{Icon ? <Icon size={14} /> : <i />}</span>
}
