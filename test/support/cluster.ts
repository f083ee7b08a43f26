import { existsSync } from 'node:fs'
import pg from 'pg'
import { OLDEST_VERSION } from '../../server/prepare-database.ts'
import { type Primary, startPrimary } from './standby.ts'

/** A Citus cluster of one test or stage: a coordinator without shards, and its workers. */
export type Cluster = {
  /** The superuser's address of the coordinator's database `postgres`. */
  url: string
  coordinator: Primary
  workers: Primary[]
}

const VERSIONS = [18, 17, 16, OLDEST_VERSION]

/** Returns the folder of a PostgreSQL that has Citus, the newest of Debian's packages; null if none has. */
export function findCitus(): string | null {
  const version = VERSIONS.find((one) => existsSync(`/usr/share/postgresql/${one}/extension/citus.control`))
  return version ? `/usr/lib/postgresql/${version}/bin` : null
}

type Options = {
  binaries: string
  workers?: number
  /** Whether clients are notified of each command sent to a worker. */
  reports?: boolean
  settings?: Record<string, string>
  ends?: (end: () => Promise<void>) => void
}

export async function startCluster(options: Options): Promise<Cluster> {
  const { binaries, workers: count = 2, reports = false, ends } = options
  const settings = {
    shared_preload_libraries: 'citus',
    max_prepared_transactions: '200',
    // parts are moved while they are written
    wal_level: 'logical',
    'citus.shard_count': '4',
    ...options.settings,
  }
  const servers = await Promise.all(
    Array.from({ length: 1 + count }, (_, number) => {
      const reporting = number === 0 && reports && { 'citus.log_remote_commands': 'on' }
      return startPrimary({ binaries, settings: { ...settings, ...reporting }, ...(ends && { ends }) })
    }),
  )
  const [coordinator, ...workers] = servers as [Primary, ...Primary[]]
  const addresses = workers.map(({ url }) => url)
  await formCluster(coordinator.url, addresses, 'postgres')
  return { url: coordinator.url, coordinator, workers }
}

/** Joins the databases of this name on the servers of these addresses. */
export async function formCluster(coordinator: string, workers: string[], name: string): Promise<void> {
  const { username, password } = new URL(coordinator)
  for (const server of [...workers, coordinator])
    await runStatements(server, name, [
      ...['citus', 'pg_trgm', 'btree_gin'].map((extension) => `create extension ${extension}`),
      ...(password ? [`insert into pg_dist_authinfo values (0, '${username}', 'password=${password}')`] : []),
    ])
  const place = (server: string) => {
    const { hostname, port } = new URL(server)
    return `'${hostname}', ${port}`
  }
  await runStatements(coordinator, name, [
    `select citus_set_coordinator_host(${place(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${place(worker)})`),
    `select citus_set_node_property(${place(coordinator)}, 'shouldhaveshards', false)`,
  ])
}

async function runStatements(server: string, database: string, statements: string[]) {
  const client = new pg.Client({ connectionString: Object.assign(new URL(server), { pathname: `/${database}` }).href })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
