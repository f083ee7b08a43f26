import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

const installed = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path))

/** The reason why a test with a real PgBouncer is skipped here, or false. */
export const withoutPgBouncer = installed ? false : 'PgBouncer is not installed: apt-get install pgbouncer'

type Options = {
  mode?: 'session' | 'transaction' | 'statement'
  /** Size of its pool of connections to PostgreSQL, per user. */
  poolSize?: number
  /** Whether it looks up unknown users in PostgreSQL. */
  asksForUsers?: boolean
}

export type PgBouncer = {
  /** The database's address through the PgBouncer. */
  url: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Points it to another PostgreSQL from now on, as an operator does: its file is changed and reloaded. */
  leadTo(url: string): Promise<void>
  close(): Promise<void>
}

/** A real PgBouncer on loopback in front of the database of `url`, configured with that user. */
export async function startPgBouncer(url: string, options: Options = {}): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-pgbouncer-'))
  // PgBouncer does not run as root
  await chmod(folder, 0o755)
  const port = await freePort()
  const { username, password } = new URL(url)
  await writeFile(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
  const leadTo = (target: string) =>
    writeFile(join(folder, 'pgbouncer.ini'), configuration(target, port, folder, options))
  await leadTo(url)
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(installed!, [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...asAnother() })
    await answering(port, child)
  }
  const stop = async () => {
    if (!child) return
    // on SIGTERM, 1.23 or newer waits for its clients
    child.kill('SIGKILL')
    await once(child, 'exit')
    child = undefined
  }
  await start()
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    start,
    stop,
    async leadTo(target) {
      await leadTo(target)
      child?.kill('SIGHUP')
    },
    async close() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

const asAnother = () => (process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {})

function configuration(
  url: string,
  port: number,
  folder: string,
  { mode = 'transaction', poolSize = 10, asksForUsers = true }: Options,
) {
  const { hostname, port: target, username } = new URL(url)
  return [
    '[databases]',
    `* = host=${hostname} port=${target}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    ...(asksForUsers ? [`auth_user = ${username}`] : []),
    `pool_mode = ${mode}`,
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    'server_login_retry = 1',
    '',
  ].join('\n')
}

async function answering(port: number, child: ChildProcess) {
  for (const until = Date.now() + 10_000; Date.now() < until && child.exitCode === null; await sleep(20)) {
    const socket = connect(port, '127.0.0.1')
    const answers = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (answers) return
  }
  throw new Error('PgBouncer did not come up')
}
