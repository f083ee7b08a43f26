import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { Client } from './client.ts'

/**
 * The server at an address: PostgreSQL itself (`none`), or a connection pooler, by how long it lends one of its connections.
 * A pooler that lends them for a transaction keeps no settings and no LISTEN, and may keep names of statements.
 */
export type Pooling = 'none' | 'session' | 'transaction' | 'statement'

export type Address = {
  url: string
  pooling: Pooling
  /** Of a pooler in transaction mode: whether a statement's name is known on whatever connection it lends. */
  keepsNames?: boolean
}

/** As long as anything waits for a connection. */
const PATIENCE_MS = 3000

/** Finds out what stands there, by no more than any pooler lets through. */
export async function findPooling(url: string): Promise<Omit<Address, 'url'>> {
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

/** The process id that `connect` gets and the types of `pg` leave out: a pooler makes one up. */
type KnownClient = Client & { processID: number | null }

function aClient(url: string): KnownClient {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  // a pooler that refuses something hangs up as well
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

/** Others are at work too, so two may be lent different connections for a while, but not over and over. */
const LOOKS = 10

async function areLentAnew(one: pg.Client, other: pg.Client) {
  const first = await backendOf(one)
  for (let look = 0; look < LOOKS; look++)
    if ((await backendOf(other)) === first || (await backendOf(one)) !== first) return true
  return false
}

/** A pooler that has one connection for both lets one wait for the other: others who wait for it should not for long. */
const MOMENT_MS = 1000

/**
 * Whether a statement that was prepared on one connection is known on another: `other` holds one, so that `one` is lent
 * another than it prepared it on. If they have only one to share, this cannot be told, and no names are given.
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
      // whichever a pooler prefers, that given back last or first, one of the two orders changes hands
      const order = look % 2 === 0 ? [one, other] : [other, one]
      for (const client of order) await client.query('commit')
    }
  } catch {
    // the name is not known, or nobody answers in time
  }
  return false
}
