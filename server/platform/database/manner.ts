import type { Address } from './pooling.ts'

/** How long, in milliseconds, somebody waits for a free connection, a statement, a lock, and for whoever is idle. */
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
  /** The settings that a connection is opened with. */
  options: string | undefined
  /** Settings that each transaction makes for itself if connections keep none. */
  settings: string[]
  /** Whether a statement that was given a name is known by it later. */
  keepsNames: boolean
}

/** A pooler takes no settings with a connection; in transaction mode it lends another one to every transaction. */
export function mannerOf({ pooling, keepsNames }: Pick<Address, 'pooling' | 'keepsNames'>, patience: number): Manner {
  const settings = settingsOf(patience)
  if (pooling === 'none')
    return { options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '), settings: [], keepsNames: true }
  return {
    options: undefined,
    settings: settings.map(([name, value]) => `set local ${name} = '${value}'`),
    keepsNames: pooling === 'session' || keepsNames === true,
  }
}
