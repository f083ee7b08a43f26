import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { Client } from './client.ts'

/**
 * The server at an address: PostgreSQL itself (`none`), or a connection pooler, by how long it assigns a connection. A
 * pooler that does so per transaction keeps no settings and no LISTEN, and may keep names of statements.
 */
export type Pooling = 'none' | 'session' | 'transaction' | 'statement'

export type DatabaseAddress = {
  url: string
  pooling: Pooling
  /** For a pooler in transaction mode: whether a statement's name is known on all its connections. */
  keepsNames?: boolean
}

/** Milliseconds, the same as any wait for a connection. */
const PATIENCE_MS = 3000

/** Detects the server, only with statements that every pooler accepts. */
export async function findPooling(url: string): Promise<Omit<DatabaseAddress, 'url'>> {
  const [one, other] = [aClient(url), aClient(url)]
  try {
    await one.connect()
    if ((await backendOf(one)) === one.processID) return { pooling: 'none' }
    if (!(await knowsTransactions(one))) return { pooling: 'statement' }
    await other.connect()
    if (!(await areLentAnew(one, other))) return { pooling: 'session' }
    return { pooling: 'transaction', keepsNames: await areNamesKept(one, other) }
  } finally {
    await Promise.allSettled([one.end(), other.end()])
  }
}

/** The process id set by `connect`, missing in the types of `pg`: a pooler invents one. */
type KnownClient = Client & { processID: number | null }

function aClient(url: string): KnownClient {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  // a pooler that refuses something also closes the connection
  client.on('error', () => {})
  return client as KnownClient
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

async function knowsTransactions(client: pg.Client) {
  try {
    await client.query('begin')
    await client.query('commit')
    return true
  } catch (error) {
    if (/statement pooling/.test((error as Error).message)) return false
    throw error
  }
}

/** Tries: other clients may cause changing connections for a while, but not repeatedly. */
const LOOKS = 10

async function areLentAnew(one: pg.Client, other: pg.Client) {
  const first = await backendOf(one)
  for (let look = 0; look < LOOKS; look++)
    if ((await backendOf(other)) === first || (await backendOf(one)) !== first) return true
  return false
}

/**
 * Milliseconds to wait: with a single connection in the pooler one client waits for the other, and further clients
 * should not wait long.
 */
const MOMENT_MS = 1000

/**
 * Whether a statement prepared on one connection is known on another: `other` occupies one, so that `one` gets another
 * than it prepared it on. With a single shared connection this cannot be determined, and no names are used.
 */
async function areNamesKept(one: pg.Client, other: pg.Client): Promise<boolean> {
  const statement = { name: randomUUID(), text: 'select pg_backend_pid() as pid', query_timeout: MOMENT_MS }
  const backend = async () => (await one.query<{ pid: number }>(statement)).rows[0]!.pid
  try {
    const first = await backend()
    for (let look = 0; look < LOOKS; look++) {
      await other.query('begin')
      await one.query({ text: 'begin', query_timeout: MOMENT_MS } as pg.QueryConfig)
      if ((await backend()) !== first) return true
      // in one of the two orders the connections are swapped, whichever one a pooler prefers
      const order = look % 2 === 0 ? [one, other] : [other, one]
      for (const client of order) await client.query('commit')
    }
  } catch {
    // the name is not known, or there was no answer in time
  }
  return false
}
