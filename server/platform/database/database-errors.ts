/** PostgreSQL's code for a write on a read-only server. */
export const READ_ONLY = '25006'
const CLOSED = ['08000', '08001', '08003', '08004', '08006', '08P01', '57P01', '57P02', '57P03', '53300']
/** Read-only counts as unavailable: a former primary, or a proxy that does not lead to the new one yet. */
const LOST = new Set([...CLOSED, READ_ONLY])
/** PostgreSQL's code for an internal error, which Citus reports if the connection to a worker is lost. */
const INTERNAL = 'XX000'
/** Functions of Citus that report such a loss. */
const OF_WORKERS = new Set([
  'ReportResultError',
  'ReportConnectionError',
  'MarkRemoteTransactionFailed',
  'CheckRemoteTransactionsHealth',
  'FinishRemoteTransactionPrepare',
  'ScheduleNextPlacementExecution',
])
const UNREACHABLE = ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND']
const LOST_SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', ...UNREACHABLE])

/** Whether an error means that the database, or a machine of its cluster, is or was unavailable. */
export function isDatabaseAway(error: unknown) {
  const { code = '', message = '', routine } = (error ?? {}) as { code?: string; message?: string; routine?: string }
  return (
    LOST.has(code) ||
    (code === INTERNAL && OF_WORKERS.has(routine ?? '')) ||
    isOfCommit({ code, message }) ||
    LOST_SOCKET.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/.test(
      message,
    )
  )
}

/** Whether Citus reports with this error that a worker didn’t commit. */
export const isOfCommit = ({ code, message }: { code?: string; message?: string }) =>
  code === INTERNAL && message?.startsWith('could not commit transaction for shard') === true

/** Whether an error has one of these codes of PostgreSQL. */
export const hasCode = (error: unknown, ...codes: string[]) =>
  codes.includes((error as { code?: string } | null)?.code ?? '')

/** Whether an error means that the role lacks the right to a statement. */
export const isForbidden = (error: unknown) => hasCode(error, '42501')

/** Whether an error means that a constraint would be violated. */
export const isViolation = (error: unknown) => (error as { code?: string } | null)?.code?.startsWith('23') === true

/**
 * Whether an error means that a row would violate this constraint. A cluster names it only in the message, followed by
 * the number of a part.
 */
export function violatesConstraint(error: unknown, constraint: string) {
  const { constraint: named, message = '' } = (error ?? {}) as Record<string, string | undefined>
  const name = named ?? /constraint "(.+)"/.exec(message)?.[1]
  return isViolation(error) && name?.replace(/_\d{5,}$/, '') === constraint
}

/** Whether an error means that the database's disk is full. */
export const isDiskFull = (error: unknown) => hasCode(error, '53100')

/** A state in which almost nothing works while it lasts. */
export type DatabaseTrouble = 'away' | 'full'

/** Marks a socket's error as the database's: others have the same codes. The job queue passes on copies. */
const OF_DATABASE = Symbol('of the database')
export const isOfDatabase = (error: Error) => void Object.assign(error, { [OF_DATABASE]: true })

/** Returns the database trouble that an error indicates; null for every other error. */
export function classifyDatabaseError(error: unknown): DatabaseTrouble | null {
  if (typeof error !== 'object' || error === null) return null
  if (isDiskFull(error)) return 'full'
  const isAnySocket = LOST_SOCKET.has((error as { code?: string }).code ?? '')
  return isDatabaseAway(error) && (!isAnySocket || OF_DATABASE in error) ? 'away' : null
}

/** Milliseconds that a database counts as full after a write failed for lack of space. */
const FULL_MS = 10_000
let fullAt = Number.NEGATIVE_INFINITY
export const noteFull = () => {
  fullAt = performance.now()
}
export const wasFullJustNow = () => performance.now() - fullAt < FULL_MS
