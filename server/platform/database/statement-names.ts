import type { Logger } from 'pino'

/** Names for a pool's statements, with which PostgreSQL caches their plans. */
export type StatementNames = {
  /** Returns the statement to send. */
  on<Sent extends { name?: string | undefined }>(statement: Sent): Sent
  /** Returns `isNameLost` of a statement's error; after the first loss no names are used. */
  areLost(error: unknown): boolean
  /** Returns the same names for statements that are planned differently under this one; no names for null. */
  of(name: string | null): StatementNames
}

const isPlanOvertaken = ({ code, routine }: { code?: string; routine?: string }) =>
  code === '0A000' && routine === 'RevalidateCachedQuery'

/**
 * Whether a statement failed because its name is unknown or already used, as behind a pooler in transaction mode, or
 * because a migration changed the columns of its cached plan. The statement had no effect.
 */
export function isNameLost(error: unknown): boolean {
  const { code = '', message = '' } = Object(error) as { code?: string; message?: string }
  return (
    ['26000', '42P05'].includes(code) ||
    isPlanOvertaken(Object(error)) ||
    (code === '08P01' && /prepared statement|bind message/.test(message))
  )
}

export function createNames({ areUsed, log }: { areUsed: boolean; log: Logger }): StatementNames {
  let areGiven = areUsed
  const names: StatementNames = {
    on: (statement) => (areGiven ? statement : { ...statement, name: undefined }),
    areLost(error) {
      if (!isNameLost(error)) return false
      if (areGiven)
        log.warn(
          { error: (error as Error).message },
          isPlanOvertaken(Object(error))
            ? 'a migration changed the columns of a cached plan: until the next start, statements are planned each time'
            : 'a prepared statement was lost: until the next start, statements are planned each time; if DATABASE_URL leads to a connection pooler in transaction mode, set DATABASE_POOLING=transaction',
        )
      areGiven = false
      return true
    },
    of: (own) => ({
      ...names,
      on: (statement) => {
        const name = areGiven && own !== null && statement.name !== undefined ? `${statement.name} ${own}` : undefined
        return { ...statement, name }
      },
    }),
  }
  return names
}
