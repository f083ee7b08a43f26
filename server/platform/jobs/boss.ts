import pg from 'pg'
import { type ConstructorOptions, type Db, PgBoss, type StopOptions } from 'pg-boss'
import type { Logger } from 'pino'
import { Client } from '../database/client.ts'
import { listenToChannels } from '../database/listen.ts'

/** pg-boss with our own connections, which find the primary; its own would use a fixed host. */
export class Boss extends PgBoss {
  readonly #connections: Connections

  constructor(url: string, log: Logger, options: ConstructorOptions) {
    const report = (error: Error) => log.warn({ error }, 'the job queue reports an error')
    const connections = connectionsTo(url, report)
    super({ ...options, db: connections })
    this.#connections = connections
    this.on('error', report)
  }

  override async stop(options?: StopOptions) {
    await super.stop(options)
    await this.#connections.close()
  }
}

type Connections = Db & { close(): Promise<void> }

/** Opens connections on demand; their queries mostly look for work, and are fast. */
function connectionsTo(url: string, report: (error: Error) => void): Connections {
  let pool: pg.Pool | undefined
  const open = () => {
    pool = new pg.Pool({ Client, connectionString: url, max: 2, connectionTimeoutMillis: 10_000 })
    return pool.on('error', report)
  }
  const source = { directUrl: url }
  return {
    executeSql: (text, values) => (pool ?? open()).query(text, values),
    async listen(channel, onNotification, onReconnect) {
      const ear = listenToChannels(source, { [channel]: onNotification }, onReconnect)
      await ear.ready
      return ear
    },
    async close() {
      const closing = pool
      pool = undefined
      await closing?.end()
    },
  }
}
