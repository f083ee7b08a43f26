/** PostgreSQL's code for a write where only reading is possible. */
export const READ_ONLY = '25006'
const CLOSED = ['08000', '08001', '08003', '08004', '08006', '08P01', '57P01', '57P02', '57P03', '53300']
/** A former primary, or what stands before it until it leads to the new one, is left as one that is away. */
const LOST = new Set([...CLOSED, READ_ONLY])
const UNREACHABLE = ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND']
const LOST_SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', ...UNREACHABLE])

/** True of errors that mean: the database is away, or was when we asked. */
export function isDatabaseAway(error: unknown) {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  return (
    LOST.has(code) ||
    LOST_SOCKET.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/.test(
      message,
    )
  )
}

/** True of the error of a database that has no room left on its disk. */
export const isDiskFull = (error: unknown) => (error as { code?: string } | null)?.code === '53100'

/** A state that keeps nearly everything from working, for as long as it lasts. */
export type Trouble = 'away' | 'full'

/** Says of an error of a socket that it led to a database: others have the same codes. The job queue hands on copies. */
const OF_DATABASE = Symbol('of the database')
export const isOfDatabase = (error: Error) => void Object.assign(error, { [OF_DATABASE]: true })

/** The trouble of the database that an error tells of, whoever met it; null for every other error. */
export function troubleOf(error: unknown): Trouble | null {
  if (typeof error !== 'object' || error === null) return null
  if (isDiskFull(error)) return 'full'
  const isAnySocket = LOST_SOCKET.has((error as { code?: string }).code ?? '')
  return isDatabaseAway(error) && (!isAnySocket || OF_DATABASE in error) ? 'away' : null
}

/** How long a database that had no room for something counts as full. */
const FULL_MS = 10_000
let fullAt = Number.NEGATIVE_INFINITY
export const noteFull = () => {
  fullAt = performance.now()
}
export const wasFullJustNow = () => performance.now() - fullAt < FULL_MS
