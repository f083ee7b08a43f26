import pg from 'pg'
import { eachHost } from '../config/database-address.ts'
import { isDiskFull, isOfCommit, isOfDatabase, isViolation, noteFull, READ_ONLY } from './database-errors.ts'
import { findHosts, type Hosts } from './failover/hosts.ts'

type Done = (error?: Error) => void

/** Codes for too many connections: the server is there. */
const IS_FULL = /^53/

/** A dead idle connection is noticed within half a minute. */
const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }
/** Our connections' name in PostgreSQL's views and logs. */
const named = { application_name: 'tributary' }

/**
 * A connection to the database of an address, which may name several hosts: to the one that accepts writes, as long as
 * it does. All connections are created by it.
 */
export class Client extends pg.Client {
  readonly #hosts: Hosts | null
  #isOver = false

  constructor(config: pg.ClientConfig = {}) {
    const { connectionString = '' } = config
    super({ ...named, ...keptAlive, ...config, connectionString: eachHost(connectionString)[0] })
    this.#hosts = findHosts(connectionString)
    this.connection.on('error', isOfDatabase)
    this.connection.on('errorMessage', (message) => {
      if (isDiskFull(message)) noteFull()
    })
    nameRefusals(this.connection)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Done): void
  override connect(callback?: Done) {
    if (!this.#hosts) return callback ? super.connect(callback) : super.connect()
    const connected = this.#reach(this.#hosts)
    if (!callback) return connected
    connected.then(() => callback(), callback)
  }

  override end(): Promise<void>
  override end(callback: Done): void
  override end(callback?: Done) {
    this.#isOver = true
    return callback ? super.end(callback) : super.end()
  }

  async #reach(hosts: Hosts): Promise<pg.Client> {
    const primary = await hosts.find().catch((error) => {
      isOfDatabase(error)
      throw error
    })
    if (this.#isOver) throw new Error('Connection terminated')
    this.host = primary.host
    this.port = primary.port
    this.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY) hosts.lose(primary)
    })
    try {
      await super.connect()
    } catch (error) {
      if (!IS_FULL.test((error as { code?: string }).code ?? '')) hosts.lose(primary)
      throw error
    }
    hosts.hold(this, primary)
    return this
  }
}

/**
 * Adds the reason for which a worker of a cluster refused to commit to the error, as on one machine: Citus reports it
 * in a warning, followed by its own error.
 */
function nameRefusals(connection: pg.Connection) {
  let reason: { code?: string; message?: string } | undefined
  connection.on('notice', (notice) => {
    if (isViolation(notice)) reason = notice
  })
  connection.on('errorMessage', (error) => {
    if (reason && isOfCommit(error)) Object.assign(error, { code: reason.code, message: reason.message })
  })
  connection.on('readyForQuery', () => {
    reason = undefined
  })
}
