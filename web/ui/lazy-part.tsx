import { useIsFetching } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { basicWords } from '../words/basic.ts'
import { withinTwoMinutes } from './load-limit.ts'

/** First actions of a user on a screen. */
const ACTS = ['pointermove', 'pointerdown', 'keydown']

/**
 * A part of a screen whose code loads when it is first shown. With `usePrefetch` in the screen it loads as soon as all
 * the screen's data has arrived, so that a dialog opens at once without delaying the first content. With `OnUse` it
 * loads when the user starts to use the screen: forms need their validation code, which is slow to start. A `late` part
 * shows nothing until it is loaded: the screen is complete without it.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>, { late = false } = {}) {
  let code: Promise<ComponentType<P>> | undefined
  const begin = () => {
    if (code) return code
    code = withinTwoMinutes(load())
    // Code that failed to load is requested again when needed.
    code.catch(() => {
      code = undefined
    })
    return code
  }
  const Late = lazy(async () => ({ default: await begin() }))
  const Later = (props: P) => (
    <Suspense
      fallback={late ? null : <span role="status" aria-label={basicWords.states.loading} className="visually-hidden" />}
    >
      <Late {...props} />
    </Suspense>
  )
  function usePrefetch() {
    const resting = useIsFetching() === 0
    useEffect(() => {
      if (resting) begin().catch(() => undefined)
    }, [resting])
  }
  function OnUse() {
    useEffect(() => {
      const used = () => void begin().catch(() => undefined)
      for (const action of ACTS) addEventListener(action, used, { once: true })
      return () => {
        for (const action of ACTS) removeEventListener(action, used)
      }
    }, [])
    return null
  }
  return Object.assign(Later, { usePrefetch, OnUse })
}
