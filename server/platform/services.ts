import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Clock, Database } from './database/pool.ts'
import type { Replica } from './database/replica.ts'
import type { Secrets } from './database/secrets.ts'
import type { Outbound } from './http/outbound.ts'
import type { Jobs } from './jobs/queue.ts'
import type { Tracer } from './span.ts'

/** What every room is given: nothing reaches for the clock, the network, the environment or the key by itself. */
export type Services = {
  config: Config
  db: Database
  /** Where lists and statistics are read from, if there is one. */
  replica?: Replica | undefined
  clock: Clock
  log: Logger
  secrets: Secrets
  jobs: Jobs
  outbound: Outbound
  /** Where the operator has traces kept. */
  tracer?: Tracer
}

/** What is this install's own: its settings, and the key that links and counts are derived from. */
export type Install = Pick<Services, 'config' | 'secrets'>
