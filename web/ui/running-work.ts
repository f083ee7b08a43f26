import { useSyncExternalStore } from 'react'

/** Work this tab does by itself while other screens are shown; `href` is where it was started. */
type Running = { href: string }

let all: readonly Running[] = []
const listeners = new Set<() => void>()

function set(next: readonly Running[]) {
  all = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const currentPath = () => location.pathname + location.search

/** Shows work started here as under way in the sidebar until it has ended, well or not. */
export async function whileRunning<T>(work: () => Promise<T>, href = currentPath()): Promise<T> {
  const mine = { href }
  set([...all, mine])
  try {
    return await work()
  } finally {
    set(all.filter((one) => one !== mine))
  }
}

/** Returns the work under way in this tab. */
export const useRunningHere = () => useSyncExternalStore(subscribe, () => all)
