import { Link, type LinkProps, type NavigateOptions, useRouter } from '@tanstack/react-router'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { basicWords } from '../words/basic.ts'
import { DownIcon } from './icons.tsx'
import { Menu } from './Menu.tsx'
import styles from './Tabs.module.css'
import tones from './Tones.module.css'
import { shownTotal } from './totals.ts'
import { useAddress } from './useAddress.ts'

export type Tab<K extends string> = {
  key: K
  label: string
  count?: number
  /** After the label: what it lacks. */
  note?: string
  /** The language of the label, if it isn't the screen's. */
  lang?: string
  /** Counted up to a thousand, like narrowed lists. */
  narrowed?: boolean
  /** Its count requires an action. */
  warns?: boolean
  /** Its own address; by default it is the page's, with `?tab=`. */
  go?: { to: NonNullable<LinkProps['to']>; search?: Readonly<Record<string, string>> }
}

/** The name of the tab list in which a tab with another page's address was just chosen, so that the focus stays there. */
let left: string | undefined

type Props<K extends string> = {
  /** The name of the tab list. */
  label: string
  tabs: readonly Tab<K>[]
  current: K
  /** At the other end of the line: a date range. */
  aside?: ReactNode
  /** The tabs are a part of their page: parameters of its tables stay in the address. */
  ofPart?: boolean
  /** The tabs are a column beside what they show; on a narrow screen, this choice of one is in its place. */
  column?: ReactNode
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
 * Tabs stored in the address as `?tab=`, which the first one omits, or with addresses of their own. Choosing another
 * drops the address's parameters of the last one's table, and Back restores them. Arrows, Home and End move and choose.
 * Tabs that don't fit on the line are in the menu 'More' at its end.
 */
export function Tabs<K extends string>({ label, tabs, current, aside, ofPart, column, onChoose, children }: Props<K>) {
  const { params, change } = useAddress()
  const router = useRouter()
  const line = useRef<HTMLDivElement>(null)
  const id = useId()
  const hidden = useFitting(line, current, tabs)
  const kept = (name: string) => ofPart || ['range', 'from', 'to'].includes(name)

  useEffect(() => {
    if (left === label) line.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    left = undefined
  }, [label])

  const goTo = ({ to, search }: NonNullable<Tab<K>['go']>) =>
    ({
      to,
      search: { ...Object.fromEntries(Object.entries(params).filter(([name]) => kept(name))), ...search },
      resetScroll: false,
    }) as NavigateOptions

  function choose({ key, go }: Tab<K>) {
    if (onChoose) return onChoose(key)
    if (go) {
      left = label
      return void router.navigate(goTo(go))
    }
    const dropped = Object.keys(params).filter((name) => !kept(name) && name !== 'tab')
    change(
      {
        ...Object.fromEntries(dropped.map((name) => [name, undefined])),
        tab: key === tabs[0]?.key ? undefined : key,
      },
      { push: key !== current },
    )
  }

  function onKeyDown(event: KeyboardEvent) {
    const shown = tabs.filter(({ key }) => !hidden.includes(key))
    const at = shown.findIndex(({ key }) => key === current)
    const last = shown.length - 1
    const [onwards, back] = column ? ['ArrowDown', 'ArrowUp'] : ['ArrowRight', 'ArrowLeft']
    const next = { [onwards]: at + 1, [back]: at + last, Home: 0, End: last, ' ': at }[event.key]
    const tab = next === undefined ? undefined : shown[next % shown.length]
    if (!tab) return
    event.preventDefault()
    choose(tab)
    line.current?.querySelector<HTMLElement>(`[data-key="${tab.key}"]`)?.focus()
  }

  const list = (
    <div
      role="tablist"
      aria-label={label}
      aria-orientation={column ? 'vertical' : undefined}
      className={column ? styles.column : styles.tabs}
      onKeyDown={onKeyDown}
    >
      {tabs.map((tab) => (
        <OneTab
          key={tab.key}
          tab={tab}
          id={id}
          isCurrent={tab.key === current}
          link={tab.go && goTo(tab.go)}
          onChoose={() => choose(tab)}
          onLeave={() => {
            left = label
          }}
        />
      ))}
    </div>
  )
  const panel = (
    <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`} className="stack">
      {children}
    </div>
  )
  if (column)
    return (
      <div ref={line} className={`stack ${styles.beside}`}>
        <div className={styles.narrow}>{column}</div>
        {list}
        {panel}
      </div>
    )
  return (
    <>
      <div className={`row between ${styles.line}`}>
        <div ref={line} data-many={tabs.length > 4 || undefined} className={styles.tabs}>
          {list}
          <span data-more hidden>
            <Menu
              label={basicWords.actions.more}
              items={tabs
                .filter(({ key }) => hidden.includes(key))
                .map((tab) => ({
                  key: tab.key,
                  label: tab.count === undefined ? tab.label : `${tab.label} (${shownTotal(tab.count, tab.narrowed)})`,
                  run: () => choose(tab),
                }))}
              opener={(props) => (
                <button {...props} type="button">
                  {basicWords.actions.more}
                  <DownIcon size={16} />
                </button>
              )}
            />
          </span>
        </div>
        {aside}
      </div>
      {panel}
    </>
  )
}

type OneProps = {
  tab: Tab<string>
  id: string
  isCurrent: boolean
  link: NavigateOptions | undefined
  onChoose: () => void
  onLeave: () => void
}

function OneTab({
  tab: { key, label, count, narrowed, warns, note, lang },
  id,
  isCurrent,
  link,
  onChoose,
  onLeave,
}: OneProps) {
  const props = {
    role: 'tab',
    id: `${id}-${key}`,
    'data-key': key,
    'aria-selected': isCurrent,
    'aria-controls': isCurrent ? `${id}-panel` : undefined,
    'aria-description': count === undefined ? undefined : shownTotal(count, narrowed),
    tabIndex: isCurrent ? 0 : -1,
  }
  const text = (
    <>
      <span className={styles.label} data-label={label} lang={lang}>
        {label}
      </span>
      {note && <span className={`small muted ${styles.note}`}>{note}</span>}
      {count !== undefined && (
        <span
          aria-hidden="true"
          className={`strong small ${styles.count} ${warns && count > 0 ? tones.needs : tones.waits}`}
        >
          {shownTotal(count, narrowed)}
        </span>
      )}
    </>
  )
  if (link)
    return (
      <Link {...props} {...(link as LinkProps)} activeOptions={{ exact: true }} onClick={onLeave}>
        {text}
      </Link>
    )
  return (
    <button {...props} type="button" onClick={onChoose}>
      {text}
    </button>
  )
}

/** Hides the tabs that don't fit on their line, never the current one; returns the keys of the hidden ones. */
function useFitting(line: RefObject<HTMLElement | null>, current: string, tabs: readonly Tab<string>[]) {
  const [hidden, setHidden] = useState<readonly string[]>([])
  const shown = tabs.map(({ label, count, note }) => `${label} ${count} ${note}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: names and counts decide how wide the tabs are
  useLayoutEffect(() => {
    const box = line.current
    if (!box) return
    const observer = new ResizeObserver(() => {
      const rest = hideRest(box, current)
      setHidden((before) => (before.join() === rest.join() ? before : rest))
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [line, current, shown])
  return hidden
}

function hideRest(box: HTMLElement, current: string) {
  const tabs = [...box.querySelectorAll<HTMLElement>('[role="tab"]')]
  // a column has no such menu, but tabs within what it shows have
  const more = box.querySelector<HTMLElement>(':scope > [data-more]')
  if (!more) return []
  for (const part of [...tabs, more]) part.hidden = false
  const gap = Number.parseFloat(getComputedStyle(box).columnGap)
  const widthOf = (part: HTMLElement) => part.getBoundingClientRect().width + gap
  const room = box.clientWidth + gap
  let taken = tabs.reduce((sum, tab) => sum + widthOf(tab), 0)
  more.hidden = taken <= room
  if (more.hidden) return []
  taken += widthOf(more)
  const hidden: string[] = []
  for (const tab of tabs.toReversed()) {
    if (taken <= room) break
    const { key } = tab.dataset
    if (!key || key === current) continue
    taken -= widthOf(tab)
    tab.hidden = true
    hidden.unshift(key)
  }
  return hidden
}
