import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the result of `work`, or after this many milliseconds that of `late`, which may throw. */
export async function withTimeout<T, Late>(ms: number, work: T | Promise<T>, late: () => Late): Promise<T | Late> {
  const over = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: over.signal }).then(late)])
  } finally {
    over.abort()
  }
}
