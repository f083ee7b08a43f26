import { setImmediate } from 'node:timers/promises'

/** Milliseconds of computing before others are served. */
const SLICE_MS = 10

/** Returns a function to await between the steps of a long computation: it lets others be served after each slice. */
export function createSlices(): () => Promise<void> {
  let until = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < until) return
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
}
