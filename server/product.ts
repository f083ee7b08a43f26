import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { atPort, type Config } from './platform/config/config.ts'
import { eachHost } from './platform/config/database-address.ts'
import { withSecretKey } from './platform/config/secret-key.ts'
import type { Database } from './platform/database/pool.ts'
import type { ServerSocket } from './platform/http/server-socket.ts'
import type { Services } from './platform/services.ts'

export type Product = {
  /** The address it listens at; null for a worker whose port is used. */
  address: string | null
  appUrl: string
  /** The one-time link for setting up the first administrator, while there is none. */
  setUpUrl: string | null
  /** Lets running work finish and closes everything, in less than 30 s. Repeated calls share the same end. */
  stop(): Promise<void>
}

/**
 * Starts the roles in `config.processRole`. The database comes first and the rest is loaded while it recovers; the web
 * application is built meanwhile if necessary. Requests get 503 until all is ready. Throws `StartRefusal` if the
 * operator has to change something; then nothing is left running.
 */
export async function startProduct(config: Config, log: Logger): Promise<Product> {
  const parts: Parts = {}
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopParts(parts, log)
    return stopped
  }
  try {
    return { ...(await startParts(config, log, parts)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Close = () => Promise<unknown>

/** The running parts, each with its close function. */
type Parts = {
  http?: Close
  web?: Close
  worker?: Close
  application?: Close
  jobQueue?: Close
  outbound?: Close
  databasePool?: Close
  replicaPool?: Close | undefined
  homes?: Close
  tracing?: Close
  embeddedPostgres?: Close
}

async function startParts(given: Config, log: Logger, parts: Parts): Promise<Omit<Product, 'stop'>> {
  const launched = Promise.withResolvers<void>()
  const database = findDatabase(given, log, parts, launched.resolve).finally(launched.resolve)
  // Delayed until the launch, since loading blocks the process.
  const afterLaunch = <T>(work: () => Promise<T>) => launched.promise.then(work)
  // A refusal of the start is reported without waiting for the build.
  const web = given.processRole === 'worker' ? null : launched.promise.then(() => buildWeb(log, parts))
  web?.catch(() => {})
  const [url, door, rooms] = await allOf([database, listen(given, log, parts), afterLaunch(load)])
  const config = door ? atPort(given, door.port) : given

  await rooms.loadLanguages(config.dataDir, log)
  await rooms.loadFonts(config.dataDir, log)
  const clock = rooms.systemClock
  const { secrets, serving } = await withSecretKey(config, async (key) => {
    const secrets = rooms.createSecrets(key)
    const before = async (owner: Database, pending: string[]) => {
      const { backups } = config
      const made = await rooms.backUpBefore(owner, pending, { backups, ledger: rooms.ledgerTables, secrets })
      if (made === 'nowhere') log.warn({ migrations: pending.length }, NO_BACKUP)
      else if (made !== 'empty') log.info({ file: made.file }, 'a backup was written before the schema is changed')
    }
    return { secrets, serving: await rooms.reachDatabase({ config, url, clock, log, secrets, before }) }
  })
  const db = rooms.openDatabase({ ...serving, log, clock, growing: ['leads', 'sales'] })
  parts.databasePool = db.close
  const replica = await rooms.reachReplica({ config, primary: db, log })
  parts.replicaPool = replica?.close

  const jobs = rooms.createJobs(serving.directUrl, log)
  parts.jobQueue = () => jobs.stop({ graceful: true, timeout: 5000 })
  const outbound = rooms.createOutbound({ allowPrivate: config.allowPrivateWebhookTargets })
  parts.outbound = outbound.close
  const tracer = await startTracing(config, log)
  if (tracer) parts.tracing = tracer.close
  const homes = rooms.createHomes(db)
  parts.homes = homes.close
  const services = { config, db, replica, homes, clock, log, secrets, jobs, outbound, tracer }
  await web
  const buildApplication = async () => {
    const app = await rooms.buildApp(services)
    parts.application = () => app.close()
    await app.ready()
    return app
  }
  const app = await buildApplication()
  const setUpUrl = config.processRole === 'worker' ? null : await rooms.prepareFirstAdministrator(services)
  if (door) {
    rooms.readiness.open = true
    parts.http = () => {
      rooms.readiness.open = false
      return door.close()
    }
    door.open(config.processRole === 'worker' ? onlyHealth(app.serve) : app.serve)
  }
  if (config.processRole === 'web') await jobs.boss()
  else parts.worker = (await (await loadWorker()).startWorker(services)).stop
  log.info(await describeStart(services), 'the product has started')
  return { address: door && addressOf(config, door.port), appUrl: config.appUrl, setUpUrl }
}

const NO_BACKUP =
  'the schema is changed without a backup; with BACKUP_DIR a start makes one first, and so does npx tributary migrate --backup FILE'

/** Returns a description of the start, for the log. */
async function describeStart({ config, db, replica }: Pick<Services, 'config' | 'db' | 'replica'>) {
  const facts = await db.one<{ postgres: string; databaseRole: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres, current_user::text as database_role`
  return {
    release: packageJson.version,
    node: process.versions.node,
    processRole: config.processRole,
    ...facts,
    database: config.databaseUrl ? eachHost(config.databaseUrl).map((url) => new URL(url).host) : 'embedded',
    replica: Boolean(replica),
  }
}

/** Listens; for a worker only for its health and metrics, so it also runs without. */
async function listen(config: Config, log: Logger, parts: Parts): Promise<ServerSocket | null> {
  const { openServerSocket: openFrontDoor } = await import('./platform/http/server-socket.ts')
  try {
    const door = await openFrontDoor(config)
    parts.http = door.close
    return door
  } catch (error) {
    if (config.processRole !== 'worker') throw error
    log.warn({ error: (error as Error).message }, 'this worker could not open a health address of its own')
    return null
  }
}

/** Loads its modules only if a collector is configured. */
async function startTracing({ tracing }: Config, log: Logger) {
  if (!tracing) return undefined
  const { createTracer } = await import('./platform/tracing/tracer.ts')
  return createTracer(tracing, log)
}

type Handler = Parameters<ServerSocket['open']>[0]
const onlyHealth =
  (application: Handler): Handler =>
  (request, response) => {
    if (/^\/(health|metrics)\b/.test(request.url ?? '')) return application(request, response)
    response
      .writeHead(404, { 'content-type': 'text/plain' })
      .end('This process answers no calls: PROCESS_ROLE is worker.\n')
  }

const addressOf = ({ host }: Config, port: number) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Returns the database's address: the configured one, or that of the embedded one, which is started. */
async function findDatabase(config: Config, log: Logger, parts: Parts, onLaunch: () => void): Promise<string> {
  if (config.databaseUrl) {
    const { openDataFolder } = await import('./platform/config/data-folder.ts')
    await openDataFolder(config.dataDir)
    return config.databaseUrl
  }
  const { startEmbedded } = await import('./platform/database/embedded.ts')
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, onLaunch })
  parts.embeddedPostgres = embedded.stop
  return embedded.url
}

async function buildWeb(log: Logger, parts: Parts) {
  const { buildWebApp } = await import('./platform/http/web-build.ts')
  const startedAt = performance.now()
  const stopping = new AbortController()
  const building = buildWebApp(stopping.signal)
  parts.web = () => {
    stopping.abort()
    return building.catch(() => {})
  }
  if (await building) log.info({ ms: Math.round(performance.now() - startedAt) }, 'the web application was built')
}

/** Everything above the database. */
const load = () => import('./start-modules.ts')
/** Loaded last: requests do not need it. */
const loadWorker = () => import('./queue-handlers.ts')

/** Like Promise.all, but fails only after all have ended: whatever they opened is then known and can be closed. */
async function allOf<T extends readonly unknown[]>(work: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/** Milliseconds for closing all parts above the database. */
const CLOSE_MS = 20_000

/** Closes from the outside in: requests and jobs first, then what they use, the database last. */
async function stopParts(parts: Parts, log: Logger) {
  const late = new AbortController()
  const timeUp = sleep(CLOSE_MS, undefined, { signal: late.signal }).catch(() => {})
  const close = async (...names: (keyof Parts)[]) => {
    const closing = names.map(async (name) => {
      try {
        await parts[name]?.()
      } catch (error) {
        log.warn({ part: name, err: error }, 'a part did not close cleanly')
      }
    })
    await Promise.race([Promise.all(closing), timeUp])
  }
  await close('http', 'worker', 'web')
  await close('application')
  await close('jobQueue', 'outbound')
  await close('databasePool', 'replicaPool', 'homes', 'tracing')
  late.abort()
  await parts.embeddedPostgres?.()
}
