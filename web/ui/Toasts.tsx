import { useEffect, useId, useState } from 'react'
import { toastWords } from '../words/shell.ts'
import { IconButton } from './Button.tsx'
import { CloseIcon, DoneIcon, ErrorIcon } from './icons.tsx'
import styles from './Toasts.module.css'
import { addPlace, dismissToast, lastsMs, type Toast, useToastsAt } from './toasts.ts'

/**
 * The places of toasts: one in the shell, and one in each open dialog, since content behind a modal can be neither read
 * out nor pressed. The latest place shows them. Both regions are rendered from the start, so that screen readers
 * announce new toasts.
 */
export function Toasts() {
  const id = useId()
  useEffect(() => addPlace(id), [id])
  const toasts = useToastsAt(id)
  return (
    <div className={`screen-only ${styles.place}`}>
      <div role="status" aria-label={toastWords.region}>
        {toasts.filter(({ failed }) => !failed).map(card)}
      </div>
      <div role="alert">{toasts.filter(({ failed }) => failed).map(card)}</div>
    </div>
  )
}

const card = (toast: Toast) => <Card key={toast.id} toast={toast} />

/** Its time is paused while the pointer or the focus is on it. */
function Card({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), lastsMs(toast))
    return () => clearTimeout(timer)
  }, [held, toast])
  const { id, text, failed, action } = toast
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding the time is no action of its own
    <div
      className={`overlay row no-wrap gap-3 ${styles.toast}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={failed ? 'error' : 'success'}>{failed ? <ErrorIcon /> : <DoneIcon />}</span>
      <div className={`rest row ${styles.content}`}>
        <span className="wrap">{text}</span>
        {action && (
          <button
            type="button"
            className={`strong ${styles.action}`}
            onClick={() => {
              dismissToast(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <IconButton
        small
        label={toastWords.dismiss}
        icon={<CloseIcon size={16} />}
        className="muted"
        onClick={() => dismissToast(id)}
      />
    </div>
  )
}
