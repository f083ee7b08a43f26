import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Homes } from './database/cluster/homes.ts'
import type { Clock, Database } from './database/pool.ts'
import type { Replica } from './database/replica/replica.ts'
import type { Secrets } from './database/secrets.ts'
import type { Outbound } from './http/outbound.ts'
import type { Jobs } from './jobs/queue.ts'
import type { Tracer } from './span.ts'

/** The services of every room: no code accesses the clock, the network, the environment or the key directly. */
export type Services = {
  config: Config
  db: Database
  /** The replica for lists and statistics, if there is one. */
  replica?: Replica | undefined
  /** The machines of a cluster. */
  homes: Homes
  clock: Clock
  log: Logger
  secrets: Secrets
  jobs: Jobs
  outbound: Outbound
  /** The exporter of traces, if a collector is configured. */
  tracer?: Tracer
}

/** This install's settings, and the key for deriving links and counts. */
export type Install = Pick<Services, 'config' | 'secrets'>
