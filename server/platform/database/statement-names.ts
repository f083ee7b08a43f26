import type { Logger } from 'pino'

/** Names of statements on a pool's connections, so that PostgreSQL caches their plans. */
export type StatementNames = {
  /** Returns the statement to send on this connection. */
  on<Sent extends { name?: string | undefined }>(client: object, statement: Sent): Sent
  /** Called with a statement's error: once a name was lost, none are used any more. */
  hear(error: unknown, sent: { name?: string | undefined }): void
}

const lost = new WeakSet<object>()

/** Whether a statement failed because its name was lost: it had no effect, and is sent without a name the next time. */
export const isNameLost = (error: unknown) => lost.has(Object(error))

/**
 * Whether an error means that names were lost: a pooler may be restarted with other settings, or be one of several;
 * then a name is unknown, or already used. A cached plan does not survive a migration that changes its columns.
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

export function createNames({ areKept, byPooler, log }: Options): StatementNames {
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

/** Private fields of `pg`: the names confirmed on a connection, and those just sent. */
type Connection = { parsedStatements: object; submittedNamedStatements: object }

const given = new WeakMap<Connection, Map<string, string>>()

/**
 * Returns the name, or a new one if `pg` would define it again because PostgreSQL refused the statement the first time,
 * as in a failed transaction. PgBouncer remembers the name anyway, and closes a connection that defines it again.
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
