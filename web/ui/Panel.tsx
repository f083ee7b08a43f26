import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { basicWords } from '../words/basic.ts'
import { Button } from './Button.tsx'
import { AgainIcon, ErrorIcon } from './base-icons.tsx'
import { focusHeading, Heading } from './Page.tsx'
import styles from './Panel.module.css'
import tones from './Tones.module.css'

type Props = { heading?: string; aside?: ReactNode; children: ReactNode; className?: string; rule?: boolean }

/**
 * A white panel with a hairline; with a heading it is a region of that name. `rule` separates the heading from the
 * rest.
 */
export function Panel({ heading, aside, children, className, rule }: Props) {
  return (
    <section aria-label={heading} className={`panel ${className ?? ''}`}>
      {heading && (
        <div className={`row between ${styles.head} ${rule ? styles.ruled : ''}`}>
          <h2>{heading}</h2>
          {aside && <div className={`muted ${styles.aside}`}>{aside}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

type EmptyProps = {
  icon?: ReactNode
  /** 'No data to show' unless given. */
  what?: string
  hint?: string
  action?: ReactNode
  /** Replaces a whole screen and is its heading. */
  alone?: boolean
}

/** An empty state: why there is no data, and the next step. */
export function Empty({ icon, what = basicWords.states.empty, hint, action, alone }: EmptyProps) {
  return (
    <div className={`stack gap-1 ${styles.state}`}>
      {icon && <span className={`centered ${styles.tile} ${tones.waits}`}>{icon}</span>}
      {alone ? <Heading>{what}</Heading> : <p className="strong">{what}</p>}
      {hint && <p className="muted">{hint}</p>}
      {action}
    </div>
  )
}

type FailedProps = {
  onRetry?: () => void
  why?: string
  busy?: boolean
  id?: string
  /** Replaces a whole screen and is its heading. */
  alone?: boolean
  /** Replaces 'Try again' if that wouldn't help. */
  wayOn?: ReactNode
}

/** 'Failed to load' with 'Try again' or another action; shown only in the panel that failed. */
export function Failed({ onRetry, why, busy, id, alone, wayOn }: FailedProps) {
  const { box, press } = useFocusAfter()
  return (
    <div ref={box} role="alert" className={`stack gap-1 ${styles.state}`}>
      <span className={`centered ${styles.tile} ${tones.failed}`}>
        <ErrorIcon />
      </span>
      {alone ? <Heading>{basicWords.states.failed}</Heading> : <p className="strong">{basicWords.states.failed}</p>}
      {why && <p className="muted">{why}</p>}
      {id && <p className="muted small">{basicWords.states.errorId({ id })}</p>}
      {wayOn ?? (
        <Button
          icon={<AgainIcon size={16} />}
          busy={busy}
          onClick={() => {
            press()
            onRetry?.()
          }}
        >
          {basicWords.actions.tryAgain}
        </Button>
      )}
    </div>
  )
}

/** Moves the focus, after 'Try again', to the loaded panel or the page's heading. */
function useFocusAfter() {
  const box = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useLayoutEffect(() => {
    const panel = box.current?.closest('section')
    return () => {
      if (!pressed.current) return
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        if (!panel?.isConnected) return focusHeading({ preventScroll: true })
        panel.tabIndex = -1
        panel.focus({ preventScroll: true })
      })
    }
  }, [])
  const press = () => {
    pressed.current = true
  }
  return { box, press }
}

/** Returns true once loading has lasted 150 ms: a faster load shows no skeleton. */
export function useSlow() {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return slow
}

/** The placeholder of a loading word or figure. */
export function TextPlaceholder({ width = 72 }: { width?: number }) {
  const slow = useSlow()
  return (
    <span role="img" aria-label={basicWords.states.loading} className={styles.awaited} style={{ width }}>
      {slow && <span className="blank" />}
    </span>
  )
}

/** The placeholder of loading content: `rows` lines of a panel. */
export function Skeleton({ rows, height = 44 }: { rows: number; height?: number }) {
  const slow = useSlow()
  return (
    <div role="status" aria-label={basicWords.states.loading} className={styles.skeleton}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
        <div key={row} style={{ height }}>
          {slow && <span className="blank" style={{ width: `${70 - ((row * 17) % 40)}%` }} />}
        </div>
      ))}
    </div>
  )
}
