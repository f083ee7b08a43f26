import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ignoreMissing } from '../../server/platform/config/data-folder.ts'
import { changeOwner } from '../../server/platform/database/embedded.ts'
import { choosePostgresUser, type PostgresUser } from '../../server/platform/database/postgres-user.ts'
import { freePort } from './free-port.ts'
import { scratchFolder } from './scratch.ts'

/** A PostgreSQL of one test, removed when the test ends. */
type Server = {
  /** The superuser's address of the database `postgres`; it stays the same. */
  url: string
  /** Ends as when its machine fails: at once, without notice. */
  kill(): Promise<void>
  /** Starts again, after `kill`, on the files it left. */
  start(): Promise<void>
  end(): Promise<void>
}

export type Primary = Server & { place: Place }

/** Follows its primary by streaming, and runs read-only statements. */
export type Standby = Server & {
  /** Makes it a primary; returns once it accepts writes. */
  promote(): Promise<void>
  /** Pauses the replay: it continues to receive, but shows nothing newer. */
  pause(): Promise<void>
  resume(): Promise<void>
}

type Place = {
  folder: string
  cluster: string
  user: PostgresUser
  port: number
  /** Arguments of `initdb` and settings of the server besides the common ones. */
  locale: string[]
  settings: Record<string, string>
}

const SUPERUSER = 'tributary'
const PASSWORD = 'a-password-of-tests'
const PATIENCE_MS = 30_000

/** Registers the function that ends a server once it is no longer needed. */
type Ends = (end: () => Promise<void>) => void

type PrimaryOptions = {
  /** The folder of another release's programs. */
  binaries?: string
  settings?: Record<string, string>
  ends?: Ends
}

/** Without `ends`, it ends with the test. */
export async function startPrimary({ binaries, settings = {}, ends }: PrimaryOptions = {}): Promise<Primary> {
  const place = await aPlace(binaries)
  Object.assign(place.settings, settings)
  await initialise(place)
  return { ...(await serve(place, ends)), place }
}

/** With `synchronous`, the primary acknowledges only writes that this standby has stored. */
export async function startStandby(primary: Primary, options: { synchronous?: boolean } = {}): Promise<Standby> {
  const place = await aPlace()
  const name = `standby_${place.port}`
  await copyRunning(primary, place)
  await follow(primary, place, name)
  const server = await serve(place)
  await until(primary.url, `select from pg_stat_replication where application_name = '${name}' and state = 'streaming'`)
  if (options.synchronous) await waitFor(primary, name)
  return {
    ...server,
    promote: () => runStatement(server.url, 'select pg_promote()'),
    async pause() {
      await runStatement(server.url, 'select pg_wal_replay_pause()')
      await until(server.url, `select where pg_get_wal_replay_pause_state() = 'paused'`)
    },
    resume: () => runStatement(server.url, 'select pg_wal_replay_resume()'),
  }
}

/** The address of both servers; the driver picks the one that accepts writes. */
export function addressOfBoth(primary: Primary, standby: Standby): string {
  const { host, href } = new URL(primary.url)
  return href.replace(host, `${host},${new URL(standby.url).host}`)
}

/** A server of other binaries gets no locale or settings that only ours support. */
async function aPlace(binaries?: string): Promise<Place> {
  const folder = await scratchFolder()
  const user = await choosePostgresUser(folder)
  const place = { folder, cluster: join(folder, 'cluster'), port: await freePort() }
  if (binaries) return { ...place, user: runningFrom(binaries, user), locale: [], settings: {} }
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  return { ...place, user, locale, settings: { io_method: 'sync' } }
}

const runningFrom = (folder: string, { owner }: PostgresUser): PostgresUser => ({
  owner,
  run: (binary, args, options) =>
    spawn(join(folder, binary), args, { ...options, ...(owner && { uid: owner.uid, gid: owner.gid }) }),
})

async function initialise({ folder, cluster, user, locale }: Place) {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, `${PASSWORD}\n`)
  await mkdir(cluster, { mode: 0o700 })
  await changeOwner(user, cluster)
  const initdb = user.run(
    'initdb',
    [
      ...['-D', cluster, '-U', SUPERUSER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync'],
      ...['--encoding=UTF8', ...locale, '--locale=C'],
    ],
    { cwd: '/', env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const output = collectErrors(initdb)
  const [code] = await once(initdb, 'close')
  if (code !== 0) throw new Error(`no primary could be made: ${output()}`)
}

/** Makes a base backup: the files while the primary goes on, and the label that makes them consistent. */
async function copyRunning(primary: Primary, { cluster }: Place) {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`)
    await copyFolder(primary.place.cluster, cluster)
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    await writeFile(join(cluster, 'backup_label'), rows[0]!.labelfile)
  } finally {
    await client.end()
  }
}

/** Files about the server process itself. */
const OWN_FILES = new Set(['postmaster.pid', 'postmaster.opts'])
/** The streamed WAL, and the slots of those who stream it. */
const OWN_FOLDERS = new Set(['pg_wal', 'pg_replslot'])

async function copyFolder(from: string, to: string) {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (OWN_FOLDERS.has(entry.name)) await mkdir(target, { mode: 0o700 })
    else if (entry.isDirectory()) await copyFolder(source, target)
    else if (!OWN_FILES.has(entry.name)) await copyFile(source, target).catch(ignoreMissing)
  }
}

async function follow(primary: Primary, { cluster, user }: Place, name: string) {
  const { port } = primary.place
  const address = `host=127.0.0.1 port=${port} user=${SUPERUSER} password=${PASSWORD} application_name=${name}`
  await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\n`)
  await writeFile(join(cluster, 'standby.signal'), '')
  await changeOwner(user, cluster)
}

async function waitFor({ url }: Primary, name: string) {
  await runStatement(url, `alter system set synchronous_standby_names = '${name}'`)
  await runStatement(url, 'select pg_reload_conf()')
  await until(url, `select from pg_stat_replication where application_name = '${name}' and sync_state = 'sync'`)
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  // the files survive a killed process, and may be lost with the machine
  fsync: 'off',
  wal_level: 'replica',
  // for a standby that was disconnected
  wal_keep_size: '512MB',
  wal_retrieve_retry_interval: '100ms',
  timezone: 'UTC',
}

const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

async function serve({ folder, cluster, user, port, settings: own }: Place, ends: Ends = after): Promise<Server> {
  const url = `postgres://${SUPERUSER}:${PASSWORD}@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    killAll(child)
    await gone
  }
  const start = async () => {
    child = await launch(url, () => {
      const given = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      const stdio = ['ignore', 'ignore', 'pipe'] as const
      return user.run('postgres', ['-D', cluster, '-p', `${port}`, ...given], {
        ...{ cwd: '/', env: environment, stdio: [...stdio], detached: true },
      })
    })
  }
  const lastResort = () => child?.kill('SIGKILL')
  process.once('exit', lastResort)
  const end = async () => {
    process.off('exit', lastResort)
    await kill()
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  ends(end)
  await start()
  return { url, kill, start, end }
}

/**
 * Kills the backends too, since a surviving one may still answer a query. The postmaster is stopped first, so that it
 * starts no others.
 */
function killAll(postmaster: ChildProcess) {
  postmaster.kill('SIGSTOP')
  for (const pid of childrenOf(postmaster.pid!)) process.kill(pid, 'SIGKILL')
  postmaster.kill('SIGKILL')
}

/** Returns the child processes if the system lists them; elsewhere they end by themselves a moment later. */
function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Starts the server and waits until it answers; starts it again while processes of the killed one are still there. */
async function launch(url: string, run: () => ChildProcess): Promise<ChildProcess> {
  let child: ChildProcess | undefined
  let output = () => ''
  for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await sleep(20)) {
    if (!child || child.exitCode !== null || child.signalCode !== null) {
      child = run()
      output = collectErrors(child)
    }
    if (
      await runStatement(url, 'select').then(
        () => true,
        () => false,
      )
    )
      return child
  }
  child?.kill('SIGKILL')
  throw new Error(`PostgreSQL did not start: ${output()}`)
}

function collectErrors(child: ChildProcess) {
  let output = ''
  child.stderr?.on('data', (piece) => {
    output = `${output}${piece}`.slice(-2000)
  })
  return () => output
}

async function runStatement(url: string, statement: string): Promise<void> {
  await count(url, statement)
}

async function count(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function until(url: string, statement: string) {
  for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await sleep(10))
    if ((await count(url, statement)) > 0) return
  throw new Error(`never came true: ${statement}`)
}
