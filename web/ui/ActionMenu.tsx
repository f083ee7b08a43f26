import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import styles from './ActionMenu.module.css'
import { Button, IconButton } from './Button.tsx'
import { DoneIcon, DownIcon, MoreIcon } from './icons.tsx'

export type Action = {
  label: string
  run: () => void
  /** It takes something away: red. */
  danger?: boolean
  disabled?: boolean
  /** On or off: the menu stays open when it is pressed. */
  checked?: boolean
}

type Props = {
  /** Its name: 'Actions for Jane Whitfield'. */
  label: string
  actions: readonly Action[]
  /** Words on the button; without them it is three dots. */
  children?: ReactNode
  bordered?: boolean
  /** Stands before the words, without a border around them. */
  icon?: ReactNode
}

const ITEMS = '[role^=menuitem]:not(:disabled)'

/**
 * A button with a menu of actions, above everything else on the page. Escape and a click away close it; arrows, Home and
 * End move inside; the focus returns to the button.
 */
export function ActionMenu({ label, actions, children, bordered, icon }: Props) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  const id = useId()
  const items = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>(ITEMS) ?? [])]

  useLayoutEffect(() => {
    const box = menu.current
    if (!open || !box || !button.current) return
    box.showPopover()
    place(box, button.current.getBoundingClientRect())
    box.querySelector<HTMLButtonElement>(ITEMS)?.focus()
    const close = () => setOpen(false)
    const away = ({ target }: Event) => button.current?.contains(target as Node) || close()
    document.addEventListener('pointerdown', away)
    addEventListener('resize', close)
    // The page may still be coming to rest: it stays at its button.
    const follow = () => button.current && place(box, button.current.getBoundingClientRect())
    addEventListener('scroll', follow, true)
    return () => {
      document.removeEventListener('pointerdown', away)
      removeEventListener('resize', close)
      removeEventListener('scroll', follow, true)
    }
  }, [open])

  function close() {
    setOpen(false)
    button.current?.querySelector('button')?.focus()
  }

  if (actions.length === 0) return null
  const opener = {
    'aria-haspopup': 'menu' as const,
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onClick: () => setOpen(!open),
  }
  return (
    <span ref={button} className={styles.root}>
      {children ? (
        <Button {...opener} aria-label={label} icon={icon} look={icon ? 'quiet' : undefined}>
          {children} {!icon && <DownIcon size={16} />}
        </Button>
      ) : (
        <IconButton {...opener} label={label} icon={<MoreIcon size={18} />} bordered={bordered} />
      )}
      {open && (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          popover="manual"
          className={styles.menu}
          onKeyDown={(event) => {
            const all = items()
            const at = all.indexOf(document.activeElement as HTMLButtonElement)
            const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
            if (event.key === 'Tab') setOpen(false)
            if (event.key === 'Escape') close()
            if (next !== undefined) all[next % all.length]?.focus()
            if (next !== undefined || event.key === 'Escape') event.preventDefault()
          }}
        >
          {actions.map(({ label, run, danger, disabled, checked }) => (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only an item that is on or off says so
            <button
              key={label}
              type="button"
              role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
              aria-checked={checked}
              tabIndex={-1}
              disabled={disabled}
              className={danger ? styles.danger : styles.item}
              onClick={() => {
                if (checked === undefined) close()
                run()
              }}
            >
              {label}
              {checked && <DoneIcon size={16} />}
            </button>
          ))}
        </div>
      )}
    </span>
  )
}

/** Below the button where there is room, its right edges aligned; else above. */
export function place(box: HTMLElement, at: DOMRect) {
  const { offsetWidth: width, offsetHeight: height } = box
  const below = at.bottom + 4
  const top = below + height > innerHeight - 8 ? Math.max(8, at.top - height - 4) : below
  box.style.top = `${top}px`
  box.style.left = `${Math.max(8, Math.min(at.right - width, innerWidth - width - 8))}px`
}
