import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startEmbedded } from '../server/platform/database/embedded.ts'
import { type Database, openDatabase } from '../server/platform/database/pool.ts'
import { type ProductProcess, runProduct } from '../test/support/process.ts'
import { removeFolder } from '../test/support/scratch.ts'
import type { Watch } from './machine-load.ts'

/** The ground of every figure: an empty PostgreSQL as safe as in production, and the product running on it. */
export type BenchEnvironment = {
  db: Database
  port: number
  /** Below `/api/v1`. Fails unless the answer is a success. */
  api(method: string, path: string, token: string | null, body?: unknown): Promise<Answered>
  /** Returns an access token of the administrator, valid for another 15 minutes. */
  signIn(): Promise<string>
  /** Checks whether other work uses the machine. */
  watch: Watch
  /** The process that runs it. */
  product: ProductProcess
  /** Another process of the product over the same database. */
  startAnother(): Promise<{ port: number; pid: number; end(): Promise<unknown> }>
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: read as the API answers it
type Answered = any

const ADMINISTRATOR = { email: 'root@install.example', password: 'orchid-lantern-93-tide' }

type Given = {
  /** Lets PostgreSQL count the cost of each statement, in `bench.pg_stat_statements`, and switches autovacuum off. */
  counting?: boolean
  /** A database that exists, and stays with its key. */
  on?: { url: string; secretKey: string }
}

export async function startGround(watch: Watch, { counting = false, on }: Given = {}): Promise<BenchEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-bench-'))
  await chmod(folder, 0o755)
  const log = pino({ level: 'silent' })
  const dataDir = join(folder, 'database')
  if (counting) await prepareCounting(dataDir)
  const database = on ? { url: on.url, stop: async () => {} } : await startEmbedded({ dataDir, log })
  const run = () =>
    runProduct({
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'product'),
      ...(on && { SECRET_KEY: on.secretKey }),
      RATE_LIMIT_FACTOR: '0',
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'error',
      ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
      ADMIN_EMAIL: ADMINISTRATOR.email,
      ADMIN_PASSWORD: ADMINISTRATOR.password,
    })
  const product = run()
  const db = openDatabase({ url: database.url, log, max: 2 })
  const others = new Set<ProductProcess>()
  const stop = async () => {
    for (const other of others) await other.end('SIGTERM')
    await product.end('SIGTERM')
    await db.close()
    await database.stop()
    await removeFolder(folder)
  }
  const startAnother: BenchEnvironment['startAnother'] = async () => {
    const other = run()
    others.add(other)
    const { port } = new URL(await other.ready())
    const end = () => {
      others.delete(other)
      return other.end('SIGTERM')
    }
    return { port: Number(port), pid: other.child.pid!, end }
  }
  try {
    const { port } = new URL(await product.ready())
    const api: BenchEnvironment['api'] = async (method, path, token, body) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response.status === 204 ? null : response.json()
    }
    const signIn = async () => (await api('POST', '/auth/sign-in', null, ADMINISTRATOR)).accessToken
    return { db, port: Number(port), api, signIn, watch, product, startAnother, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Loads the counting library, which needs a restart of PostgreSQL, and turns autovacuum off, which would slow random
 * figures.
 */
async function prepareCounting(dataDir: string) {
  const log = pino({ level: 'silent' })
  const embedded = await startEmbedded({ dataDir, log })
  const db = openDatabase({ url: embedded.url, log, max: 1 })
  try {
    await db.pool.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
    await db.pool.query('alter system set pg_stat_statements.track_planning = on')
    await db.pool.query('alter system set autovacuum = off')
    await db.pool.query('create schema bench')
    await db.pool.query('create extension pg_stat_statements schema bench')
  } finally {
    await db.close()
    await embedded.stop()
  }
}

/** Rates of three layers, in percent. */
export const RATES = [20, 5, 2]

export type BenchAccount = {
  id: string
  token: string
  refreshToken: string
  apiKey: string
  partnerIds: string[]
  codes: string[]
}

/** An account with one line of partners, one for each rate; the first in the list is the deepest, the referrer. */
export async function makeAccount({ api, signIn }: BenchEnvironment, rates = RATES): Promise<BenchAccount> {
  const owner = { email: `${randomBytes(6).toString('hex')}@mail.example` }
  const { id, ownerInvitation } = await api('POST', '/accounts', await signIn(), { name: 'Bench', owner })
  const link = new URLSearchParams(new URL(ownerInvitation.url).hash.slice(1)).get('token')
  const { accessToken: token, refreshToken } = await api('POST', '/auth/change-password', link, {
    password: ADMINISTRATOR.password,
  })
  const { apiKey } = await api('PUT', `/accounts/${id}/api-key`, token)
  await api('PATCH', `/accounts/${id}`, token, {
    timeZone: 'UTC',
    defaultCommissionSettings: { layerRates: rates },
  })
  const partnerIds: string[] = []
  const codes: string[] = []
  for (const layer of rates.keys()) {
    const email = `partner-${layer}-${randomBytes(6).toString('hex')}@mail.example`
    const parentPartnerId = partnerIds[0]
    const body = { email, sendInvitation: false, ...(parentPartnerId && { parentPartnerId }) }
    const partner = await api('POST', `/accounts/${id}/partners`, token, body)
    partnerIds.unshift(partner.id)
    codes.unshift(partner.referralCode)
  }
  return { id, token, refreshToken, apiKey, partnerIds, codes }
}

const externalIdOf = (index: number) => `lead-${String(index).padStart(4, '0')}`

export const LEADS = 1000

/** `LEADS` leads of the account's deepest partner, each won by a first sale. */
export async function makeLeads({ api, db }: BenchEnvironment, { id, apiKey, codes }: BenchAccount): Promise<string[]> {
  for (let start = 0; start < LEADS; start += 100) {
    const some = Array.from({ length: 100 }, (_, index) => externalIdOf(start + index))
    const leads = some.map((externalId) => ({
      externalId,
      email: `${externalId}@mail.example`,
      referralCode: codes[0],
    }))
    await api('POST', '/push/leads', apiKey, leads)
    const sales = some.map((leadExternalId) => ({
      leadExternalId,
      externalId: `first-${leadExternalId}`,
      amount: 49_00,
    }))
    await api('POST', '/push/sales', apiKey, sales)
  }
  const rows = await db.many<{ id: string }>`
    select id from leads where account_id = ${id} and status = 'won' order by external_id`
  if (rows.length !== LEADS) throw new Error(`${rows.length} leads instead of ${LEADS}`)
  return rows.map((row) => row.id)
}

/** An API key with the owner's read access and the right to push. Unlike a session's token it does not expire. */
export const aReadingKey = async (
  { api }: BenchEnvironment,
  { id, token }: Pick<BenchAccount, 'id' | 'token'>,
): Promise<string> =>
  (await api('POST', `/accounts/${id}/api-keys`, token, { name: 'Bench', rights: ['push', 'read'] })).key
