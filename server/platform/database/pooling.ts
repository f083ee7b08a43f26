import type pg from 'pg'
import { Client } from './client.ts'

/**
 * What stands at an address: PostgreSQL itself (`none`), or a connection pooler, by how long it lends one of its
 * connections. One that lends them for a transaction keeps neither settings nor names of statements, and hears nothing.
 */
export type Pooling = 'none' | 'session' | 'transaction' | 'statement'

export type Address = { url: string; pooling: Pooling }

/** As long as anything waits for a connection. */
const PATIENCE_MS = 3000

/** Finds out what stands there, by no more than any pooler lets through. */
export async function findPooling(url: string): Promise<Pooling> {
  const [one, other] = [aClient(url), aClient(url)]
  try {
    await one.connect()
    if ((await backendOf(one)) === one.processID) return 'none'
    if (!(await knowsTransactions(one))) return 'statement'
    await other.connect()
    return (await areLentAnew(one, other)) ? 'transaction' : 'session'
  } finally {
    await Promise.allSettled([one.end(), other.end()])
  }
}

/** What `connect` is told of, the types of `pg` leave out: a pooler cannot know it, and makes something up. */
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
