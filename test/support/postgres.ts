import '../../server/tables.ts'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { prepareParts } from '../../server/platform/database/cluster/parts.ts'
import { isOnCluster, spreadTables } from '../../server/platform/database/cluster/spread.ts'
import { findEmbedded } from '../../server/platform/database/embedded.ts'
import { migrateSchema } from '../../server/platform/database/migrate.ts'
import { type Clock, type Database, openDatabase, transaction } from '../../server/platform/database/pool.ts'
import { createSecrets } from '../../server/platform/database/secrets.ts'
import { addressOfRole, makeServingRole } from '../../server/platform/database/serving-role.ts'
import { prepareQueues } from '../../server/platform/jobs/queue.ts'
import { formCluster } from './cluster.ts'
import { placeForScratch } from './scratch.ts'

const log = pino({ level: 'silent' })

/** Factor of patience: on a busy machine calls may wait long for a connection, which is no failure if they get one. */
const PATIENCE = 6

/** A migrated empty database, used as the product uses it but with more patience; dropped when the test file ends. */
export async function freshDatabase(
  options: { clock?: Clock; max?: number; patience?: number } = {},
): Promise<Database> {
  const { url, servingUrl, drop } = await createTestDatabase()
  const db = openDatabase({ url: servingUrl, log, max: 10, patience: PATIENCE, ...options })
  const closePool = db.close
  let closed: Promise<void> | undefined
  db.close = () => {
    closed ??= closePool()
    return closed
  }
  owners.set(db, () => openDatabase({ url, log, max: 2, ...options }))
  after(async () => {
    await db.close()
    await opened.get(db)?.close()
    await drop()
  })
  return db
}

const owners = new WeakMap<Database, () => Database>()
const opened = new WeakMap<Database, Database>()

/** The database with the owner's rights, for actions that the product's role must not be able to do. */
export function asDatabaseOwner(db: Database): Database {
  const owner = opened.get(db) ?? owners.get(db)?.()
  if (!owner) throw new Error('not a fresh database')
  opened.set(db, owner)
  return owner
}

/**
 * A migrated empty database by its addresses, which the caller drops: `url` as its owner, `servingUrl` as the role that
 * the product serves as.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await testServer()
  const { template, servingUrl } = await migratedTemplate(server)
  return databaseLike(template, server, servingUrl)
}

/** An empty database, on a cluster joined but not spread, as its owner; dropped when the test file ends. */
export async function emptyDatabase(): Promise<string> {
  const server = await testServer()
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await makeEmpty(server, name)
  after(() => administerEach(server, (client) => client.query(`drop database if exists ${name} with (force)`)))
  return databaseAt(server, name)
}

async function makeEmpty(server: string, name: string) {
  await administerEach(server, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
  })
  const workers = await workersOf(server)
  if (workers.length > 0) await formCluster(server, workers, name)
}

type TestDatabase = { url: string; servingUrl: string; drop(): Promise<void> }

/** A copy of this database as it is now; its present connections are closed. */
export async function copyOfDatabase(db: Database): Promise<TestDatabase> {
  const server = await testServer()
  const name = new URL(db.url).pathname.slice(1)
  return administer(server, async (client) => {
    await client.query(`alter database ${name} allow_connections false`)
    await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name])
    const copy = await databaseLike(name, server, db.url)
    await client.query(`alter database ${name} allow_connections true`)
    await client.query(`alter database ${new URL(copy.url).pathname.slice(1)} allow_connections true`)
    return copy
  })
}

async function databaseLike(template: string, server: string, servingUrl: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  const create = `create database ${name} template ${template} strategy file_copy`
  await administerEach(server, (client) => client.query(create))
  return {
    url: databaseAt(server, name),
    servingUrl: databaseAt(servingUrl, name),
    drop: () =>
      administerEach(server, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`)
        await client.query(`drop role if exists ${name}_serving`)
      }),
  }
}

/**
 * The address of the tests' PostgreSQL: that of the whole run, or one shared by test files that are run individually.
 */
async function testServer(): Promise<string> {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const dataDir = join(await placeForScratch(), `tributary-postgres-${name}`)
  let keeper: ReturnType<typeof spawn> | undefined
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(25)) {
    const url = await findEmbedded(dataDir)
    if (url) return url
    if (!keeper || keeper.exitCode !== null) {
      const script = fileURLToPath(new URL('./keep-postgres.ts', import.meta.url))
      keeper = spawn(process.execPath, [script, dataDir], { detached: true, stdio: 'ignore' })
      keeper.unref()
    }
  }
  throw new Error(`No PostgreSQL came up in ${dataDir}.`)
}

type Template = { template: string; servingUrl: string }
let known: Promise<Template> | undefined
function migratedTemplate(server: string) {
  known ??= prepareTemplate(server)
  return known
}

/** An arbitrary number; test files that start together wait for each other's lock on it. */
const LOCK = 5_113_042

/** The template of all tests' databases, made once for every state of the migrations. */
async function prepareTemplate(server: string): Promise<Template> {
  const template = `template_${await fingerprint()}`
  const draft = `draft_${template}`
  await administer(server, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const present = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'template\\_%'`,
    )
    if (!present.rows.some(({ datname }) => datname === template)) {
      await makeEmpty(server, draft)
      await fill(databaseAt(server, draft))
      await administerEach(server, async (node) => {
        // of the cluster's own background work
        await node.query(`alter database ${draft} allow_connections false`)
        await node.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [draft])
        await node.query(`alter database ${draft} rename to ${template}`)
      })
      // a server of one run has no old ones, but those of other states of the migrations that the run tests beside this one
      for (const { datname } of process.env.TEST_DATABASE_URL ? [] : present.rows)
        await administerEach(server, (node) => node.query(`drop database if exists ${datname}`)).catch(() => {})
    }
  })
  return { template, servingUrl: addressOfRole(server, { role: `${draft}_serving`, owner: '' }, secrets) }
}

/** Any key: the password of the tests' serving role is derived from it. */
const secrets = createSecrets(Buffer.alloc(32))

async function fill(url: string) {
  const db = openDatabase({ url, log, max: 2 })
  try {
    await migrateSchema(db)
    const { queues } = await import('../../server/queues.ts')
    await prepareQueues(db, queues)
    if (await isOnCluster(db)) await transaction(db, (tx) => spreadTables(tx))
    await makeServingRole(db, secrets)
    await prepareParts(db)
  } finally {
    await db.close()
  }
}

/** A hash of everything that the template is made from. */
async function fingerprint() {
  const hash = createHash('sha256')
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const makers = [
    ...globSync('server/platform/database/migrations/*', { cwd: root }).sort(),
    'server/queues.ts',
    ...globSync('server/platform/database/cluster/*', { cwd: root }).sort(),
    'server/platform/database/serving-role.ts',
    'server/platform/database/declare-tables.ts',
    ...globSync('server/**/queue.ts', { cwd: root }).sort(),
    ...globSync(['server/**/tables.ts', 'features/*/server/tables.ts'], { cwd: root }).sort(),
    'node_modules/pg-boss/package.json',
  ]
  for (const path of makers) hash.update(path).update(await readFile(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

const databaseAt = (server: string, name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href

/** On a Citus cluster, every machine has a database of the same name. */
async function administerEach(server: string, work: (client: pg.Client) => Promise<unknown>) {
  await Promise.all([server, ...(await workersOf(server))].map((node) => administer(node, work)))
}

let workers: Promise<string[]> | undefined
const workersOf = (server: string) => {
  workers ??= administer(server, async (client) => {
    const { rows } = await client.query(`select to_regclass('pg_dist_node') is not null as found`)
    if (!rows[0].found) return []
    const nodes = await client.query<{ name: string; port: number }>(
      'select nodename as name, nodeport as port from pg_dist_node where groupid > 0 order by nodeid',
    )
    return nodes.rows.map(({ name, port }) => Object.assign(new URL(server), { hostname: name, port: `${port}` }).href)
  })
  return workers
}

async function administer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
