import { useSyncExternalStore } from 'react'

/** Work that this tab does by itself, which goes on while other screens are shown; `href` is where it was begun. */
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

export const here = () => location.pathname + location.search

/** Has the sidebar say that work begun here is under way until it has ended, well or not. */
export async function whileRunning<T>(work: () => Promise<T>, href = here()): Promise<T> {
  const mine = { href }
  set([...all, mine])
  try {
    return await work()
  } finally {
    set(all.filter((one) => one !== mine))
  }
}

/** What is under way in this tab. */
export const useRunningHere = () => useSyncExternalStore(subscribe, () => all)
