import { useIsFetching } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { withinTwoMinutes } from '../within.ts'
import { t } from '../words.ts'

/** What people do first on a screen that they begin to use. */
const ACTS = ['pointermove', 'pointerdown', 'keydown']

/**
 * A part of a screen whose code comes when it is first shown. With `usePrefetch` in the screen it comes as soon as
 * everything the screen reads has arrived, so that a dialog opens at once and does not hold up what is seen first. Beside
 * `OnUse` it comes when somebody begins to use the screen: forms bring what checks them, which is long to begin.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>) {
  let code: Promise<ComponentType<P>> | undefined
  const begin = () => {
    if (code) return code
    code = withinTwoMinutes(load())
    // What did not come is asked for again when it is needed.
    code.catch(() => {
      code = undefined
    })
    return code
  }
  const Late = lazy(async () => ({ default: await begin() }))
  const Later = (props: P) => (
    <Suspense fallback={<span role="status" aria-label={t('states.loading')} className="visually-hidden" />}>
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
      for (const act of ACTS) addEventListener(act, used, { once: true })
      return () => {
        for (const act of ACTS) removeEventListener(act, used)
      }
    }, [])
    return null
  }
  return Object.assign(Later, { usePrefetch, OnUse })
}
