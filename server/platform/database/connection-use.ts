import type { DatabaseAddress } from './pooling.ts'

/** Time-outs in milliseconds: for a free connection, a statement, a lock, and an idle transaction. */
export const WAITS = { connection: 3000, statement: 15_000, lock: 5000, idle: 10_000 }

const settingsOf = (patience: number): [name: string, value: string | number][] => [
  ['timezone', 'UTC'],
  ['statement_timeout', WAITS.statement * patience],
  ['lock_timeout', WAITS.lock * patience],
  ['idle_in_transaction_session_timeout', WAITS.idle * patience],
  ['synchronous_commit', 'on'],
]

/** How connections to an address are used. */
export type Manner = {
  /** The settings with which a connection is opened. */
  options: string | undefined
  /** Settings that each transaction makes itself if connections do not keep them. */
  settings: string[]
  /** Whether named statements stay known. */
  keepsNames: boolean
}

/**
 * Returns the manner for an address: a pooler accepts no settings with a connection; in transaction mode every
 * transaction may get another one.
 */
export function mannerOf(
  { pooling, keepsNames }: Pick<DatabaseAddress, 'pooling' | 'keepsNames'>,
  patience: number,
): Manner {
  const settings = settingsOf(patience)
  if (pooling === 'none')
    return { options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '), settings: [], keepsNames: true }
  return {
    options: undefined,
    settings: settings.map(([name, value]) => `set local ${name} = '${value}'`),
    keepsNames: pooling === 'session' || keepsNames === true,
  }
}
