import type { Logger } from 'pino'

/** Names of statements on the connections of a pool, so that PostgreSQL keeps their plans. */
export type Names = {
  /** The statement as it is sent on this connection. */
  on<Sent extends { name?: string | undefined }>(client: object, statement: Sent): Sent
  /** Told how a statement failed: once a name was lost, none are given any more. */
  hear(error: unknown, sent: { name?: string | undefined }): void
}

const lost = new WeakSet<object>()

/** True of the error of a statement whose name was lost: it did nothing, and is sent without one the next time. */
export const isNameLost = (error: unknown) => lost.has(Object(error))

/**
 * Whether an error means that names were lost: a pooler may be restarted with other settings, or be one of several; then
 * there is no such name, or one already. A stored plan does not outlive a migration that changes its columns.
 */
export function saysNameLost(error: unknown): boolean {
  const { code = '', routine, message = '' } = Object(error) as { code?: string; routine?: string; message?: string }
  return (
    ['26000', '42P05'].includes(code) ||
    (code === '0A000' && routine === 'RevalidateCachedQuery') ||
    (code === '08P01' && /prepared statement|bind message/.test(message))
  )
}

type Options = { areKept: boolean; byPooler: boolean; log: Logger }

export function createNames({ areKept, byPooler, log }: Options): Names {
  let areGiven = areKept
  return {
    on(client, statement) {
      const { name } = statement
      if (name === undefined || (areGiven && !byPooler)) return statement
      return { ...statement, name: areGiven ? fresh(client, name) : undefined }
    },
    hear(error, { name }) {
      if (name === undefined || !saysNameLost(error)) return
      lost.add(error as object)
      if (!areGiven) return
      areGiven = false
      log.warn(
        { error: (error as Error).message },
        'the name of a statement was lost on the way to the database: from now on statements are planned each time; the next start asks again whether names are kept',
      )
    },
  }
}

/** Of `pg`: the names that PostgreSQL has confirmed on a connection, and those that are on their way there. */
type Connection = { parsedStatements: object; submittedNamedStatements: object }

const given = new WeakMap<Connection, Map<string, string>>()

/**
 * The name, or another where `pg` would give it once more, because PostgreSQL refused the statement the first time: as in
 * a transaction that had failed. PgBouncer knows the name all the same, and hangs up on whoever gives it again.
 */
function fresh(client: object, name: string): string {
  const { connection } = client as { connection: Connection }
  const names = given.get(connection) ?? new Map<string, string>()
  given.set(connection, names)
  const last = names.get(name)
  if (last !== undefined && (last in connection.parsedStatements || last in connection.submittedNamedStatements))
    return last
  const next = last === undefined ? name : `${last}'`
  names.set(name, next)
  return next
}
