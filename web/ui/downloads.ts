import { useSyncExternalStore } from 'react'
import type { CallError } from '../api.ts'

export type Downloading = {
  bytes: number
  /** Of a CSV file, but for the line of its heads. */
  rows: number
  /** Of the answer, once it has begun. */
  headers: Headers | undefined
  cancel: () => void
}
type State = { running?: Downloading; failure?: CallError }

/** By what is downloaded. It goes on while other screens are shown, so no screen holds it. */
const states = new Map<string, State>()
const listeners = new Set<() => void>()
const nothing: State = {}

export const downloadOf = (key: string) => states.get(key) ?? nothing

export function setDownload(key: string, state: State) {
  states.set(key, state)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The download that is under way, and why the last one failed. */
export const useDownload = (key: string) => useSyncExternalStore(subscribe, () => downloadOf(key))
