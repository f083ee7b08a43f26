import {
  createContext,
  Fragment,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { t } from '../words.ts'
import { NextIcon } from './base-icons.tsx'
import styles from './Page.module.css'

/** Whose program a partner is looking at, for the document's title; null to everybody else. */
export const ProgramTitle = createContext<string | null>(null)

let firstHeading = true

/**
 * The one H1 of a screen. It also names the document, and takes the focus whenever it appears after the first screen, so
 * that a reader of the screen hears where the navigation led.
 */
export function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const account = useContext(ProgramTitle)
  useEffect(() => {
    document.title = account === null ? t('title', { heading: children }) : t('titleOf', { heading: children, account })
  }, [children, account])
  useEffect(() => {
    if (firstHeading) firstHeading = false
    else heading.current?.focus()
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** Whoever has saved on a page that stays, or has turned to another page of it, begins again at its heading. */
export function focusHeading(options?: FocusOptions) {
  document.querySelector<HTMLElement>('main h1')?.focus(options)
}

type Props = {
  heading: string
  /** Links to what this thing stands in, above the heading: its list, and what lies between. */
  parent?: ReactNode | readonly ReactNode[]
  /** What the thing is called there, where the heading is longer: 'PO-1060'. */
  crumb?: string
  /** The state of the thing, beside its heading. */
  badge?: ReactNode
  /** What else tells who or what it is: `span`s in a line below. */
  about?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** The last of a page's actions, which keep to one line: a menu is never left alone on the next. */
export const Together = ({ children }: { children: ReactNode }) => <div className={styles.together}>{children}</div>

/** Heading, its actions on the right, and what the screen shows below. */
export function Page({ heading, parent, crumb = heading, badge, about, actions, children }: Props) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [isUsed, setUsed] = useState(false)
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.title}>
          {parent && (
            <nav aria-label={t('actions.breadcrumb')} className={styles.crumbs}>
              {[parent].flat().map((link, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the way to a page does not change its order
                <Fragment key={at}>
                  {link}
                  <NextIcon size={14} />
                </Fragment>
              ))}
              <span aria-current="page">{crumb}</span>
            </nav>
          )}
          <div className={styles.named}>
            <Heading>{heading}</Heading>
            {badge}
          </div>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        {(actions || isUsed) && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are the page's buttons
          <div role="group" aria-label={t('actions.page')} className={styles.actions}>
            <div ref={setPlace} className={styles.ofList} />
            {actions}
          </div>
        )}
      </div>
      <HeadPlace value={{ place, setUsed }}>{children}</HeadPlace>
    </div>
  )
}

const HeadPlace = createContext<{ place: HTMLElement | null; setUsed: (used: boolean) => void } | null>(null)

/** Stands before the page's own actions: the button of a list that is all its page shows. */
export function InHead({ children }: { children: ReactNode }) {
  const { place, setUsed } = useContext(HeadPlace) ?? {}
  useLayoutEffect(() => {
    setUsed?.(true)
    return () => setUsed?.(false)
  }, [setUsed])
  return place && createPortal(children, place)
}
