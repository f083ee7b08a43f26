import { runWithoutCause } from '../work-context.ts'

/**
 * Creates a combined look-up: keys are collected during the last query, and the next one asks for all of them. A result
 * is always read after its request. `load` leaves out missing ones.
 */
export function createLookUp<Key, Found>(
  load: (keys: Key[]) => Promise<Map<Key, Found>>,
): (key: Key) => Promise<Found | undefined> {
  let waiting = new Map<Key, PromiseWithResolvers<Found | undefined>>()
  let busy = false

  async function next() {
    const batch = waiting
    waiting = new Map()
    try {
      const found = await load([...batch.keys()])
      for (const [key, { resolve }] of batch) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of batch.values()) reject(error)
    }
    if (waiting.size > 0) setImmediate(next)
    else busy = false
  }

  return (key) => {
    const answer = waiting.get(key) ?? Promise.withResolvers<Found | undefined>()
    waiting.set(key, answer)
    if (!busy) {
      busy = true
      runWithoutCause(() => setImmediate(next))
    }
    return answer.promise
  }
}
