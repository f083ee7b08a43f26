import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { DoneIcon } from './icons.tsx'
import styles from './Menu.module.css'

type Choice = { key: string; label: string; checked: boolean; choose: () => void }
type Props = { label: string; className?: string; children: ReactNode; choices: Choice[]; name: string }

/**
 * A button that opens a menu of choices, one of them checked. Escape and a click away close it; the arrows, Home and End
 * move inside; the focus returns to the button.
 */
export function ChoiceMenu({ label, className, children, choices, name }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]

  useEffect(() => {
    if (!open) return
    const choices = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitemradio]') ?? [])]
    ;(choices.find((item) => item.ariaChecked === 'true') ?? choices[0])?.focus()
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [open])

  function close() {
    setOpen(false)
    button.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (next !== undefined) all[next % all.length]?.focus()
    else if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    if (next !== undefined || event.key === 'Escape') event.preventDefault()
  }

  return (
    <div ref={root} className={styles.root}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={className}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div id={id} role="menu" aria-label={name} tabIndex={-1} className={styles.menu} onKeyDown={onKeyDown}>
          {choices.map(({ key, label, checked, choose }) => (
            <button
              key={key}
              type="button"
              role="menuitemradio"
              aria-checked={checked}
              tabIndex={-1}
              className={styles.item}
              onClick={() => {
                close()
                choose()
              }}
            >
              <span>{label}</span>
              {checked && <DoneIcon size={16} />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
