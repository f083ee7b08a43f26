import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { DoneIcon } from './base-icons.tsx'
import styles from './Menu.module.css'

export type MenuItem = {
  /** Needed if two items have the same label. */
  key?: string
  label: string
  run?: () => void
  /** Another site, opened in a new tab. */
  href?: string
  /** Destructive: shown in red. */
  danger?: boolean
  disabled?: boolean
  /** On or off: such items leave the menu open, unless they are choices of `one`. */
  checked?: boolean
}

type Opener = Pick<ComponentProps<'button'>, 'aria-haspopup' | 'aria-expanded' | 'aria-controls' | 'onClick'>

type Props = {
  /** Its name. */
  label: string
  items: readonly MenuItem[]
  /** Renders the button that opens it from the given props. */
  opener: (props: Opener) => ReactNode
  /** Exactly one item is checked: choosing another replaces it. */
  one?: boolean
  /** Aligned with the button's left edge, not its right one. */
  start?: boolean
  className?: string
}

const ITEMS = '[role^=menuitem]:not(:disabled)'

/**
 * A menu above everything else on the page. Escape and a click outside close it; arrows, Home and End move inside; the
 * focus returns to the button.
 */
export function Menu({ label, items, opener, one, start, className }: Props) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const root = useRef<HTMLSpanElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    const [box, button] = [menu.current, root.current]
    if (!open || !box || !button) return
    // The layout may still change: the menu follows its button.
    const follow = () => place(box, button.getBoundingClientRect(), start)
    box.showPopover()
    follow()
    ;(box.querySelector<HTMLElement>('[aria-checked=true]') ?? box.querySelector<HTMLElement>(ITEMS))?.focus()
    const close = () => setOpen(false)
    const away = ({ target }: Event) => button.contains(target as Node) || close()
    document.addEventListener('pointerdown', away)
    addEventListener('resize', close)
    addEventListener('scroll', follow, true)
    return () => {
      document.removeEventListener('pointerdown', away)
      removeEventListener('resize', close)
      removeEventListener('scroll', follow, true)
    }
  }, [open, start])

  function close() {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Tab') setOpen(false)
    if (event.key === 'Escape') close()
    if (next !== undefined) all[next % all.length]?.focus()
    if (next !== undefined || event.key === 'Escape') event.preventDefault()
  }

  const openerProps: Opener = {
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    'aria-controls': open ? id : undefined,
    onClick: () => setOpen(!open),
  }
  const roleOf = ({ checked }: MenuItem) =>
    checked === undefined ? 'menuitem' : one ? 'menuitemradio' : 'menuitemcheckbox'
  return (
    <span ref={root} className={[styles.root, className].filter(Boolean).join(' ')}>
      {opener(openerProps)}
      {open && (
        <div
          ref={menu}
          id={id}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          popover="manual"
          className={styles.menu}
          onKeyDown={onKeyDown}
        >
          {items.map((item) =>
            item.href ? (
              <a
                key={item.key ?? item.label}
                role="menuitem"
                tabIndex={-1}
                href={item.href}
                target="_blank"
                rel="noreferrer"
                className={styles.item}
                onClick={close}
              >
                <span>{item.label}</span>
              </a>
            ) : (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only an item that is on or off says so
              <button
                key={item.key ?? item.label}
                type="button"
                role={roleOf(item)}
                aria-checked={item.checked}
                tabIndex={-1}
                disabled={item.disabled}
                className={item.danger ? styles.danger : styles.item}
                onClick={() => {
                  if (roleOf(item) !== 'menuitemcheckbox') close()
                  item.run?.()
                }}
              >
                <span>{item.label}</span>
                {item.checked && <DoneIcon size={16} />}
              </button>
            ),
          )}
        </div>
      )}
    </span>
  )
}

/** Places the menu below the button if there is room, else above; right edges aligned, or left ones. */
function place(box: HTMLElement, at: DOMRect, start = false) {
  const { offsetWidth: width, offsetHeight: height } = box
  const below = at.bottom + 4
  const top = below + height > innerHeight - 8 ? Math.max(8, at.top - height - 4) : below
  const left = start ? at.left : at.right - width
  box.style.top = `${top}px`
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
}
