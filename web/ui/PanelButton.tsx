import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { DownIcon } from './icons.tsx'
import styles from './PanelButton.module.css'

type Props = {
  /** Accessible name of the panel. */
  name: string
  /** Text of the button. */
  face: ReactNode
  small?: boolean | undefined
  /** Something is chosen in the panel. */
  used?: boolean | undefined
  /** The panel begins where the button does, instead of ending there. */
  atStart?: boolean
  className?: string | undefined
  /** The panel's content, only while it is open. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a panel below it. */
export function PanelButton({ name, face, small, used, atStart, className = '', children }: Props) {
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        popoverTarget={id}
        className={`row no-wrap ${styles.button} ${small ? styles.small : ''}`}
        data-used={used || undefined}
      >
        {face}
        <DownIcon size={16} />
      </button>
      <div
        ref={panel}
        id={id}
        role="dialog"
        aria-label={name}
        // a click on plain text must not take the focus outside
        tabIndex={-1}
        popover="auto"
        className={`overlay ${styles.panel} ${className}`}
        data-start={atStart ? '' : undefined}
        // At once, so that the browser finds what to focus; later, because it first returns the focus to the button.
        onBeforeToggle={({ newState }) => newState === 'open' && flushSync(() => setOpen(true))}
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
      >
        {open && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}
