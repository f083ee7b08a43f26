import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { DoneIcon } from './base-icons.tsx'
import { focusedFirst } from './browser.ts'
import styles from './Menu.module.css'
import type { Needed } from './permissions.ts'

export type MenuItem = {
  /** Needed if two items have the same label. */
  key?: string
  label: string
  run?: () => void
  /** The call it makes or leads to; without the right to it, there is no item. */
  needs?: Needed | undefined
  /** Another site, opened in a new tab. */
  href?: string
  /** Destructive: shown in red. */
  danger?: boolean
  /** It can't be chosen now; a text says why, below the label. */
  disabled?: boolean | string
  /** On or off: such items leave the menu open, unless they are choices of `one`. */
  checked?: boolean
}

type Opener = Pick<ComponentProps<'button'>, 'aria-haspopup' | 'aria-expanded' | 'popoverTarget'>

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
}

const ITEMS = '[role^=menuitem]:not(:disabled)'

const whyDisabled = ({ disabled }: MenuItem) => (typeof disabled === 'string' ? disabled : undefined)

/** A menu above everything else on the page. Arrows, Home and End move inside; the focus returns to the button. */
export function Menu({ label, items, opener, one, start }: Props) {
  const [open, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()

  function close() {
    menu.current?.hidePopover()
    // Safari does not focus a button that is clicked.
    menu.current?.parentElement?.querySelector('button')?.focus()
  }

  function onKeyDown(event: KeyboardEvent) {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Tab') close()
    if (next === undefined) return
    event.preventDefault()
    all[next % all.length]?.focus()
  }

  const first = items.find(({ checked }) => checked) ?? items.find(({ disabled }) => !disabled)
  const roleOf = ({ checked }: MenuItem) =>
    checked === undefined ? 'menuitem' : one ? 'menuitemradio' : 'menuitemcheckbox'
  return (
    <span className={styles.root}>
      {opener({ 'aria-haspopup': 'menu', 'aria-expanded': open, popoverTarget: id })}
      <div
        ref={menu}
        id={id}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        popover="auto"
        className={`overlay ${styles.menu}`}
        data-start={start || undefined}
        // At once, so that the browser finds what to focus; later, because it first returns the focus to the button.
        onBeforeToggle={({ newState }) => newState === 'open' && flushSync(() => setOpen(true))}
        onToggle={({ newState }) => newState === 'closed' && setOpen(false)}
        onKeyDown={onKeyDown}
      >
        {open &&
          items.map((item) =>
            item.href ? (
              <a
                key={item.key ?? item.label}
                ref={item === first ? focusedFirst : undefined}
                role="menuitem"
                tabIndex={-1}
                href={item.href}
                target={item.href.startsWith('mailto:') ? undefined : '_blank'}
                rel="noreferrer"
                className={`choice ${styles.item}`}
                onClick={close}
              >
                <span>{item.label}</span>
              </a>
            ) : (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only an item that is on or off says so
              <button
                key={item.key ?? item.label}
                ref={item === first ? focusedFirst : undefined}
                type="button"
                role={roleOf(item)}
                aria-checked={item.checked}
                tabIndex={-1}
                disabled={Boolean(item.disabled)}
                aria-label={whyDisabled(item) && item.label}
                title={whyDisabled(item)}
                className={`choice ${item.danger ? 'error' : ''} ${styles.item}`}
                onClick={() => {
                  if (roleOf(item) !== 'menuitemcheckbox') close()
                  item.run?.()
                }}
              >
                <span className="stack">
                  {item.label}
                  {whyDisabled(item) && <span className="small muted">{item.disabled}</span>}
                </span>
                {item.checked && <DoneIcon size={16} />}
              </button>
            ),
          )}
      </div>
    </span>
  )
}
