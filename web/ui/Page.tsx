import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../words.ts'
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

/** Heading, its actions on the right, and what the screen shows below. */
export function Page({ heading, actions, children }: { heading: string; actions?: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <Heading>{heading}</Heading>
        {actions && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are the page's buttons
          <div role="group" aria-label={t('actions.page')} className={styles.actions}>
            {actions}
          </div>
        )}
      </div>
      {children}
    </div>
  )
}
