import { useSyncExternalStore } from 'react'
import type { CallError } from '../api.ts'

export type Downloading = {
  bytes: number
  /** Rows of a CSV file, without its header. */
  rows: number
  /** Headers of the answer, once it has begun. */
  headers: Headers | undefined
  cancel: () => void
}
type State = { running?: Downloading; failure?: CallError }

/** Downloads by key. They continue while other screens are shown, so no screen owns them. */
const states = new Map<string, State>()
const listeners = new Set<() => void>()
const nothing: State = {}

export const getDownload = (key: string) => states.get(key) ?? nothing

export function setDownload(key: string, state: State) {
  states.set(key, state)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the running download, and the last one's failure. */
export const useDownload = (key: string) => useSyncExternalStore(subscribe, () => getDownload(key))
