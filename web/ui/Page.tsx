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
import { basicWords } from '../words/basic.ts'
import { NextIcon } from './base-icons.tsx'
import styles from './Page.module.css'

/** The account a partner is viewing, for the document's title; null for other roles. */
export const ProgramTitle = createContext<string | null>(null)

let firstHeading = true

/**
 * The one H1 of a screen. It also sets the document's title, and takes the focus whenever it appears after the first
 * screen, so that screen readers announce the new page.
 */
export function Heading({ title, children }: { title?: string | undefined; children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const account = useContext(ProgramTitle)
  const named = title ?? children
  useEffect(() => {
    document.title =
      account === null ? basicWords.title({ heading: named }) : basicWords.titleOf({ heading: named, account })
  }, [named, account])
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

/** Moves the focus to the heading, after saving on a page that stays or turning to another page of a list. */
export function focusHeading(options?: FocusOptions) {
  document.querySelector<HTMLElement>('main h1')?.focus(options)
}

type Props = {
  heading: string
  /** The document's title, if more than the heading: 'Sales · Leads'. */
  title?: string
  /** Links to its parents above the heading: its list, and the levels between. */
  parent?: ReactNode | readonly ReactNode[]
  /** The page's name there, if shorter than the heading: 'PO-1060'. */
  crumb?: string
  /** The state of the thing, next to its heading. */
  badge?: ReactNode
  /** Further details that identify it: `span`s in a line below. */
  about?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** The page in whose head an action is. */
export const OfPage = createContext<string | null>(null)

/** The last of a page's actions, which stay on one line: a menu never wraps alone. */
export const Together = ({ children }: { children: ReactNode }) => <div className="row no-wrap">{children}</div>

/** The heading, its actions on the right, and the screen's content below. */
export function Page({ heading, title, parent, crumb = heading, badge, about, actions, children }: Props) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const [users, setUsers] = useState(0)
  return (
    <div className={`stack ${styles.page}`}>
      <div className={`row between ${styles.head}`}>
        <div className={`wrap ${styles.title}`}>
          {parent && (
            <nav
              aria-label={basicWords.actions.breadcrumb}
              className={`row no-wrap gap-1 muted small screen-only ${styles.crumbs}`}
            >
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
          <div className="row gap-3">
            <Heading title={title}>{heading}</Heading>
            {badge}
          </div>
          {about && <div className={`row muted ${styles.about}`}>{about}</div>}
        </div>
        {(actions || users > 0) && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are the page's buttons
          <div role="group" aria-label={basicWords.actions.page} className={`row screen-only ${styles.actions}`}>
            <div ref={setPlace} className={styles.ofList} />
            <OfPage value={heading}>{actions}</OfPage>
          </div>
        )}
      </div>
      <HeadPlace value={{ place, setUsers }}>{children}</HeadPlace>
    </div>
  )
}

const HeadPlace = createContext<{
  place: HTMLElement | null
  setUsers: (change: (users: number) => number) => void
} | null>(null)

/** Moves its children before the page's own actions: a link to the docs, or the button of a list. */
export function InHead({ children }: { children: ReactNode }) {
  const { place, setUsers } = useContext(HeadPlace) ?? {}
  useLayoutEffect(() => {
    setUsers?.((users) => users + 1)
    return () => setUsers?.((users) => users - 1)
  }, [setUsers])
  return place && createPortal(children, place)
}
