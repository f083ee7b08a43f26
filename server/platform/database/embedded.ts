import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { constants, readFileSync } from 'node:fs'
import { access, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { configError } from '../config/config.ts'
import { ignoreMissing, openDataFolder, readOrCreate, syncFolder } from '../config/data-folder.ts'
import { StartRefusal } from '../config/start-refusal.ts'
import { withTimeout } from '../with-timeout.ts'
import { isDataLocked, LOCK_FILE, lockData } from './data-lock.ts'
import { choosePostgresUser, NOBODY, type PostgresUser } from './postgres-user.ts'

/** The embedded PostgreSQL. `url` stays the same after a restart. */
export type EmbeddedPostgres = { url: string; stop(): Promise<void> }

type Options = {
  dataDir: string
  log: Logger
  /** Speed instead of safety: for disposable data. */
  test?: boolean
  /** Called once PostgreSQL is starting, or its files are being created: time to load what is not needed before. */
  onLaunch?: () => void
}

/** Milliseconds for retries of a failing start, and for a recovery. */
const START_PATIENCE_MS = 30_000
const RECOVERY_PATIENCE_MS = 600_000
/** Milliseconds for a stop before it is forced; the next start then recovers. */
const STOP_PATIENCE_MS = 6000
const LOOK_EVERY_MS = 3
/** Milliseconds in which a killed process of several gigabytes is gone. */
const DYING_MS = 5000

const SUPERUSER = 'tributary'
const DATABASE = 'postgres'

/**
 * Starts the embedded PostgreSQL over `dataDir`, creating its files on first use, and keeps it running until `stop`:
 * after a crash it is restarted on the same port. Stops one left behind by a killed process first. Refuses while a live
 * process serves the same data.
 */
export async function startEmbedded({
  dataDir: path,
  log,
  test = false,
  onLaunch = () => {},
}: Options): Promise<EmbeddedPostgres> {
  const dataDir = await openDataFolder(path)
  await refuseToTakeOver(dataDir)
  await refuseFilesOfAnother(dataDir)
  const lock = await lockSoon(dataDir)
  if (!lock) throw new StartRefusal(await describeServingProcess(dataDir))
  try {
    await writeFile(join(dataDir, PID_FILE), `${process.pid}\n`)
    const user = telling(await choosePostgresUser(dataDir), onLaunch)
    const password = await readOrCreate(dataDir, PASSWORD_FILE, () => randomBytes(32).toString('base64url'))
    await stopOrphan(dataDir, log)
    await makeCluster(dataDir, user, password, test)
    const server = await superviseServer(dataDir, user, log, test)
    return {
      url: urlOf(server.port, password),
      async stop() {
        await server.stop()
        await rm(join(dataDir, PID_FILE), { force: true })
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Locks the data as `lockData` does; a process that was just killed keeps it until the system has cleared its memory. */
async function lockSoon(dataDir: string) {
  const until = performance.now() + DYING_MS
  for (;;) {
    const lock = lockData(dataDir)
    if (lock || performance.now() > until) return lock
    await sleep(LOOK_EVERY_MS)
  }
}

/**
 * Refuses root for an ordinary user's install: it would take over the files, which that user's next start could not
 * read.
 */
async function refuseToTakeOver(dataDir: string) {
  if (process.getuid?.() !== 0) return
  const owner = (await stat(join(dataDir, CLUSTER)).catch(ignoreMissing))?.uid
  if (owner && owner !== NOBODY.uid)
    throw configError(
      'DATA_DIR',
      JSON.stringify(dataDir),
      `data of root, and this is that of user ${owner}: start as that user`,
    )
}

async function refuseFilesOfAnother(dataDir: string) {
  for (const name of [LOCK_FILE, PID_FILE, PASSWORD_FILE])
    await access(join(dataDir, name), constants.R_OK | constants.W_OK)
      .catch(ignoreMissing)
      .catch(({ code }) => {
        const shape = `data that belongs to whoever starts this, and ${name} does not (${code})`
        throw configError('DATA_DIR', JSON.stringify(dataDir), shape)
      })
}

const telling = ({ owner, run }: PostgresUser, onLaunch: () => void): PostgresUser => ({
  owner,
  run(...given) {
    const child = run(...given)
    onLaunch()
    return child
  },
})

/** Whether there is a database in `dataDir`; true if that can't be told. */
export const hasDatabase = (dataDir: string): Promise<boolean> =>
  stat(join(dataDir, CLUSTER)).then(
    () => true,
    ({ code }) => code !== 'ENOENT',
  )

/** Returns the address of the embedded PostgreSQL of a live process over `dataDir`, or null. */
export async function findEmbedded(dataDir: string): Promise<string | null> {
  await refuseFilesOfAnother(dataDir)
  if (!(await stat(join(dataDir, PASSWORD_FILE)).catch(ignoreMissing)) || !isDataLocked(dataDir)) return null
  const server = readPostmaster(dataDir)
  // a start removes the record of a killed PostgreSQL only after locking
  if (!server?.ready || !isAlive(server.pid)) return null
  return urlOf(server.port, (await readFile(join(dataDir, PASSWORD_FILE), 'utf8')).trim())
}

/** Opens the database for commands: the running product's PostgreSQL, or one of their own until `stop`. */
export async function attachEmbedded(options: Options): Promise<EmbeddedPostgres> {
  const url = await findEmbedded(options.dataDir)
  return url ? { url, stop: async () => {} } : startEmbedded(options)
}

const CLUSTER = 'postgres'
const DRAFT = 'postgres.initializing'
const PASSWORD_FILE = 'postgres.password'
const PID_FILE = 'server.pid'

const urlOf = (port: number, password: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`

async function describeServingProcess(dataDir: string) {
  const pid = (await readFile(join(dataDir, PID_FILE), 'utf8').catch(() => '')).trim()
  const who = pid ? `process ${pid}` : 'another process'
  return `DATA_DIR holds ${JSON.stringify(dataDir)}, whose database ${who} is serving; it should hold a folder of its own, or that process be stopped first.`
}

/** Creates the files of a new cluster in their own folder, so that a crash leaves either none or all. */
async function makeCluster(dataDir: string, user: PostgresUser, password: string, test: boolean) {
  const cluster = join(dataDir, CLUSTER)
  await removeDrafts(dataDir)
  // A unique name: the initdb of a killed process may still be writing its draft.
  const draft = join(dataDir, `${DRAFT}-${randomBytes(4).toString('hex')}`)
  const present = await stat(cluster).catch(ignoreMissing)
  if (present) {
    if (user.owner && present.uid !== user.owner.uid) await changeOwner(user, cluster)
    return
  }
  const passwordFile = join(draft, 'password')
  const initialise = async (letters: string) => {
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { mode: 0o700 })
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
    await changeOwner(user, draft)
    return runInitdb(user, [
      ...['-D', join(draft, 'data'), '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
      ...['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ...[
        `--lc-ctype=${letters}`,
        '--data-checksums',
        ...(test ? ['--no-sync', '-c', `scram_iterations=${QUICK_SCRAM}`] : []),
      ],
    ])
  }
  // Trigrams use the C library's letters; without C.UTF-8 only ASCII letters work.
  let complaint = await initialise('C.UTF-8')
  if (complaint?.includes('invalid locale')) complaint = await initialise('C')
  if (complaint !== null) throw new StartRefusal(`The embedded PostgreSQL could not create its files: ${complaint}`)
  await rename(join(draft, 'data'), cluster)
  await rm(draft, { recursive: true, force: true })
  if (!test) await syncFolder(dataDir)
}

/** Deletes the drafts of interrupted starts; one still being written is deleted by the next start. */
async function removeDrafts(dataDir: string) {
  for (const name of await readdir(dataDir))
    if (name.startsWith(DRAFT)) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
}

/** Returns its error message, or null on success. */
async function runInitdb(user: PostgresUser, args: string[]) {
  const initdb = user.run('initdb', args, { cwd: '/', env: environment(), stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  initdb.stderr?.on('data', (piece) => {
    output += piece
  })
  const [code] = await once(initdb, 'close')
  return code === 0 ? null : output.trim().slice(-500)
}

/** Changes the owner: PostgreSQL requires its files to belong to the user running it. */
export async function changeOwner({ owner }: PostgresUser, folder: string) {
  if (!owner) return
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  await chown(folder, owner.uid, owner.gid)
}

/** Tests connect thousands of times, with passwords that need no protection. */
const QUICK_SCRAM = 1

/** Excludes our variables: neither secrets nor a language for its messages. */
const environment = () => ({ PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' })

const settings = (test: boolean) => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 100,
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  // Without replication and parallel workers, which a single program does not need: less to start and run.
  max_logical_replication_workers: 0,
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  // Logs no statements or error details, which contain typed data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  ...(test && {
    max_connections: 300,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    // A connection of a test uses most of its statements once or twice: five plans for given values are more than one.
    plan_cache_mode: 'force_generic_plan',
    scram_iterations: QUICK_SCRAM,
  }),
})

async function superviseServer(dataDir: string, user: PostgresUser, log: Logger, test: boolean) {
  let stopping = false
  let child: ChildProcess | undefined
  let revival = Promise.resolve()
  let port = await freePort()

  const launch = async () => {
    const server = await launchServer(dataDir, user, port, log, test)
    child = server
    server.once('exit', (code, signal) => {
      child = undefined
      if (stopping) return
      log.error({ code, signal }, 'the embedded PostgreSQL stopped and is being restarted')
      revival = revive()
    })
  }
  const revive = async () => {
    for (let pause = 50; !stopping; pause = Math.min(pause * 2, 2000)) {
      await sleep(pause)
      if (stopping) return
      try {
        await launch()
        log.info('the embedded PostgreSQL is running again')
        return
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL did not start')
      }
    }
  }

  const until = Date.now() + START_PATIENCE_MS
  for (let pause = 50; ; pause *= 2) {
    try {
      await launch()
      break
    } catch (error) {
      if (Date.now() + pause > until || isHopeless(error)) throw error
      await sleep(pause)
      port = await freePort()
    }
  }
  const lastResort = () => child?.kill('SIGINT')
  process.once('exit', lastResort)
  return {
    port,
    async stop() {
      stopping = true
      if (child) await stopServer(child)
      await revival
      if (child) await stopServer(child)
      process.off('exit', lastResort)
    },
  }
}

const isHopeless = (error: unknown) => /incompatible with server|Permission denied|wrong ownership/.test(String(error))

/** Starts PostgreSQL in its own session, unaffected by Ctrl-C, and waits until it accepts connections. */
async function launchServer(dataDir: string, user: PostgresUser, port: number, log: Logger, test: boolean) {
  const cluster = join(dataDir, CLUSTER)
  const server = user.run(
    'postgres',
    [
      '-D',
      cluster,
      '-p',
      `${port}`,
      ...Object.entries(settings(test)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { cwd: '/', env: environment(), stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  let ended = false
  for (const event of ['error', 'exit'])
    server.once(event, () => {
      ended = true
    })
  const last = passOn(server, log)
  const until = Date.now() + RECOVERY_PATIENCE_MS
  for (;;) {
    await sleep(LOOK_EVERY_MS)
    if (ended) throw new StartRefusal(`The embedded PostgreSQL failed to start: ${last()}`)
    const postmaster = readPostmaster(dataDir)
    if (postmaster?.pid === server.pid && postmaster?.ready) return server
    if (Date.now() > until) {
      await stopServer(server)
      throw new StartRefusal(`The embedded PostgreSQL was not ready within ${RECOVERY_PATIENCE_MS / 1000} s: ${last()}`)
    }
  }
}

/** Forwards PostgreSQL's messages to our log; returns its last errors. */
function passOn(server: ChildProcess, log: Logger) {
  const complaints: string[] = []
  if (server.stderr)
    createInterface(server.stderr).on('line', (line) => {
      const [, level = 'LOG', message = line] = /^(\w+): {2}(.*)$/.exec(line) ?? []
      if (level !== 'LOG') complaints.push(message)
      if (complaints.length > 3) complaints.shift()
      if (level === 'PANIC') log.error({ postgres: message }, 'the embedded PostgreSQL reports a failure')
      else if (level === 'WARNING') log.warn({ postgres: message }, 'the embedded PostgreSQL warns')
      else log.debug({ postgres: message }, 'the embedded PostgreSQL')
    })
  return () => complaints.join('; ') || 'it said nothing'
}

/** Ends its connections and closes the files; by force after some time. */
async function stopServer(server: ChildProcess) {
  const gone: Promise<unknown> =
    server.exitCode !== null || server.signalCode !== null ? Promise.resolve() : once(server, 'exit')
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    server.kill(signal)
    const patience = signal === 'SIGINT' ? STOP_PATIENCE_MS : 3000
    if ((await withTimeout(patience, gone, () => 'late')) !== 'late') return
  }
}

/**
 * Stops an orphan: PostgreSQL survives a kill -9 of the product. We have the lock, so any server over this data is one.
 * A dead one's record is deleted, since another process with its id would block the start.
 */
async function stopOrphan(dataDir: string, log: Logger) {
  const postmaster = readPostmaster(dataDir)
  if (!postmaster) return
  const lives = () => isPostmaster(postmaster.pid, join(dataDir, CLUSTER))
  if (lives()) log.warn({ pid: postmaster.pid }, 'stopping a PostgreSQL that a killed process left behind')
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!lives()) break
    process.kill(postmaster.pid, signal)
    for (const until = Date.now() + (signal === 'SIGINT' ? STOP_PATIENCE_MS : 3000); lives() && Date.now() < until; )
      await sleep(10)
  }
  await rm(join(dataDir, CLUSTER, 'postmaster.pid'), { force: true })
}

/** Reads PostgreSQL's own record with its files: lines 1, 4 and 8 of postmaster.pid. */
function readPostmaster(dataDir: string) {
  try {
    const lines = readFileSync(join(dataDir, CLUSTER, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether `pid` is a PostgreSQL over these files: alive, not a zombie, and not another process with the same id. */
function isPostmaster(pid: number, cluster: string) {
  if (!Number.isInteger(pid) || pid <= 1) return false
  try {
    if (process.platform === 'linux') {
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0]
      return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
    }
    if (process.platform === 'win32') return false
    const [state, ...command] = execFileSync('ps', ['-o', 'state=,command=', '-p', `${pid}`], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
    return !state?.startsWith('Z') && command.join(' ').includes(cluster)
  } catch {
    return false
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
