import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../words.ts'
import { NextIcon } from './icons.tsx'
import styles from './Page.module.css'

let firstHeading = true

/**
 * The one H1 of a screen. It also names the document, and takes the focus whenever it appears after the first screen, so
 * that a reader of the screen hears where the navigation led.
 */
export function Heading({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = t('title', { heading: children })
  }, [children])
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

type PageProps = {
  heading: string
  /** The link to the list that this thing stands in, above the heading. */
  parent?: ReactNode
  /** What the thing is called there, where the heading is longer: 'PO-1060'. */
  crumb?: string
  /** The state of the thing, beside its heading. */
  badge?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

type Props = {
  heading: string
  /** The way here: `<Crumbs …/>`. */
  crumbs?: ReactNode
  /** The state of the thing, beside its name. */
  beside?: ReactNode
  /** What else tells who or what it is, in a line below. */
  about?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** Heading, its actions on the right, and what the screen shows below. */
export function Page({ heading, crumbs, beside, about, actions, children }: Props) {
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        {crumbs}
        <div className={styles.head}>
          <div className={styles.name}>
            <Heading>{heading}</Heading>
            {beside}
          </div>
          {actions && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are the page's buttons
            <div role="group" aria-label={t('actions.page')} className={styles.actions}>
              {actions}
            </div>
          )}
        </div>
        {about && <div className={styles.about}>{about}</div>}
      </div>
      {children}
    </div>
  )
}
