import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { watchEdges } from './edges.ts'
import styles from './Tabs.module.css'
import tones from './Tones.module.css'
import { shownTotal } from './totals.ts'
import { useAddress } from './useAddress.ts'

export type Tab<K extends string> = {
  key: K
  label: string
  count?: number
  /** Counted up to a thousand, like narrowed lists. */
  narrowed?: boolean
  /** Its count requires an action. */
  warns?: boolean
}

/** Pixels at which an overflowing line of tabs fades; the chosen tab is scrolled clear of them. */
const EDGE = 40

type Props<K extends string> = {
  /** The name of the tab list. */
  label: string
  tabs: readonly Tab<K>[]
  current: K
  /** At the other end of the line: a date range. */
  aside?: ReactNode
  /** The tabs are a part of their page: parameters of its tables stay in the address. */
  ofPart?: boolean
  /** Tabs within a form: they aren't in the address, and choosing another doesn't leave what was typed. */
  onChoose?: (key: K) => void
  children: ReactNode
}

/** Returns the tab in the address, else the first one. */
export function useTab<K extends string>(tabs: readonly K[]): K {
  const { params } = useAddress()
  return tabs.find((key) => key === params.tab) ?? (tabs[0] as K)
}

/**
 * Tabs stored in the address as `?tab=`, which the first one omits. Choosing another drops the address's parameters of
 * the last one's table, and Back restores them. Arrows, Home and End move and choose.
 */
export function Tabs<K extends string>({ label, tabs, current, aside, ofPart, onChoose, children }: Props<K>) {
  const { params, change } = useAddress()
  const list = useRef<HTMLDivElement>(null)
  const id = useId()

  // On a phone the line of tabs is wider than the screen. `scrollIntoView` would also move the starting point of the
  // Tab key.
  useEffect(() => {
    const line = list.current
    const tab = line?.querySelector(`[data-key="${current}"]`)
    if (!line || !tab) return
    const frame = requestAnimationFrame(() => {
      const [place, room] = [tab.getBoundingClientRect(), line.getBoundingClientRect()]
      line.scrollLeft += Math.min(0, place.left - EDGE - room.left) || Math.max(0, place.right + EDGE - room.right)
    })
    return () => cancelAnimationFrame(frame)
  }, [current])

  useEffect(() => (list.current ? watchEdges(list.current).end : undefined), [])

  function choose(key: K) {
    if (onChoose) return onChoose(key)
    const kept = ['range', 'from', 'to', 'tab']
    const dropped = ofPart ? [] : Object.keys(params).filter((name) => !kept.includes(name))
    change(
      {
        ...Object.fromEntries(dropped.map((name) => [name, undefined])),
        tab: key === tabs[0]?.key ? undefined : key,
      },
      { push: key !== current },
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ key }) => key === current)
    const last = tabs.length - 1
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: last }[event.key]
    const tab = next === undefined ? undefined : tabs[next % tabs.length]
    if (!tab) return
    event.preventDefault()
    choose(tab.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${tab.key}"]`)?.focus()
  }

  return (
    <>
      <div className={`row between ${styles.line}`}>
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          data-many={tabs.length > 4 || undefined}
          className={styles.tabs}
          onKeyDown={onKeyDown}
        >
          {tabs.map(({ key, label, count, narrowed, warns }) => (
            <button
              key={key}
              type="button"
              role="tab"
              id={`${id}-${key}`}
              data-key={key}
              aria-selected={key === current}
              aria-controls={key === current ? `${id}-panel` : undefined}
              aria-description={count === undefined ? undefined : shownTotal(count, narrowed)}
              tabIndex={key === current ? 0 : -1}
              onClick={() => choose(key)}
            >
              <span className={styles.label} data-label={label}>
                {label}
              </span>
              {count !== undefined && (
                <span
                  aria-hidden="true"
                  className={`strong small ${styles.count} ${warns && count > 0 ? tones.needs : tones.waits}`}
                >
                  {shownTotal(count, narrowed)}
                </span>
              )}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} className="stack">
        {children}
      </div>
    </>
  )
}
