import { createBufferedWriter } from '#server/platform/buffered-writer.ts'
import { isDatabaseAway } from '#server/platform/database/pool.ts'
import type { Services } from '#server/platform/services.ts'
import { deleteOldRequests, insertRequests, type LoggedRequest } from './queries.ts'

/** Requests stored per account, here and in the database. */
export const KEPT = 100
const EVERY_MS = 1000
/** Maximum number of keys collected at once, so that invented keys do not fill the memory. */
const MOST_KEYS = 10_000

export type RequestLog = {
  note(request: LoggedRequest): void
  /** Writes the requests collected so far. */
  close(): Promise<void>
}

/**
 * Logs push requests without making a call wait: they are collected in memory and written every second. A killed
 * process loses only the last second of this log.
 */
export function createRequestLog({ db, log }: Pick<Services, 'db' | 'log'>): RequestLog {
  let gathered = new Map<string, LoggedRequest[]>()

  function note(request: LoggedRequest) {
    const before = gathered.get(request.keyHash)
    if (!before && gathered.size >= MOST_KEYS) return
    if (before) before.push(request)
    else gathered.set(request.keyHash, [request])
    if (before && before.length >= 2 * KEPT) before.splice(0, KEPT)
    soon()
  }

  async function write() {
    const requests = [...gathered.values()].flatMap((some) => some.slice(-KEPT))
    const keys = [...gathered.keys()]
    gathered = new Map()
    if (requests.length === 0) return
    try {
      await insertRequests(db, requests)
      await deleteOldRequests(db, keys, KEPT)
    } catch (error) {
      log.warn({ err: error, requests: requests.length }, 'the log of push requests could not be written')
      if (isDatabaseAway(error)) for (const request of requests) note(request)
    }
  }

  const { soon, close } = createBufferedWriter(write, EVERY_MS)
  return { note, close }
}
