import { useCallback, useRef } from 'react'

/** Returns one function for the lifetime of the component, which calls the latest one given. */
export function useStable<A extends unknown[], R>(given: (...args: A) => R): (...args: A) => R {
  const latest = useRef(given)
  latest.current = given
  return useCallback((...args: A) => latest.current(...args), [])
}
