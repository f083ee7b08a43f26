import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Clock, Database } from './database/pool.ts'
import type { Secrets } from './database/secrets.ts'
import type { Outbound } from './http/outbound.ts'
import type { Jobs } from './jobs/queue.ts'

/** What every room is given: nothing reaches for the clock, the network, the environment or the key by itself. */
export type Services = {
  config: Config
  db: Database
  clock: Clock
  log: Logger
  secrets: Secrets
  jobs: Jobs
  outbound: Outbound
}

/** What is this install's own: its settings, and the key that links and counts are derived from. */
export type Install = Pick<Services, 'config' | 'secrets'>
