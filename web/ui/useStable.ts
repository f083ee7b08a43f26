import { useCallback, useRef } from 'react'

/** One function for as long as its component stands, which does what the latest one given does. */
export function useStable<A extends unknown[], R>(given: (...args: A) => R): (...args: A) => R {
  const latest = useRef(given)
  latest.current = given
  return useCallback((...args: A) => latest.current(...args), [])
}
