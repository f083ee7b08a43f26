import { statfs } from 'node:fs/promises'
import type { System } from '#contract/system.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { ReplicaState } from '../../platform/database/replica/replica-state.ts'
import { checkDatabaseRole } from '../../platform/database/serving-role.ts'
import { eventBacklog } from '../../platform/events/backlog.ts'
import { isWorkedOn, type QueueBacklog, queueBacklogs } from '../../platform/jobs/backlog.ts'
import type { Services } from '../../platform/services.ts'
import { describeBackups } from './backups.ts'
import { databaseFigures, lastMigration } from './queries.ts'

/** The state of mail, as its room reports it. */
export type MailHealth = (
  services: Services,
) => Promise<System['mail'] & Pick<System['storage'], 'outboxBytes' | 'outboxHasMore'>>

/** Returns the state of the install; never the address of a database, a folder or a process. */
export async function describeSystem(services: Services, mailHealth: MailHealth, startedAt: Date): Promise<System> {
  const { config, db, replica } = services
  const [
    database,
    { role, power },
    migration,
    standing,
    queues,
    events,
    { outboxBytes, outboxHasMore, ...mail },
    disk,
    backups,
  ] = await Promise.all([
    databaseFigures(db),
    checkDatabaseRole(db),
    lastMigration(db),
    replica?.look(),
    queueBacklogs(db),
    eventBacklog(db),
    mailHealth(services),
    statfs(config.dataDir),
    describeBackups(db, config),
  ])
  const embedded = config.databaseUrl === null
  return {
    version: packageJson.version,
    environment: config.appEnv,
    processRole: config.processRole,
    startedAt: startedAt.toISOString(),
    database: {
      ...database,
      embedded,
      role: { name: role, changesRowsOnly: power === 'rows' },
      migration,
      replica: standing ? shown(standing) : null,
    },
    queues: queues.filter(isWorkedOn).map(asState),
    events,
    mail,
    storage: {
      freeBytes: disk.bavail * disk.bsize,
      totalBytes: disk.blocks * disk.bsize,
      databaseBytes: embedded ? database.bytes : null,
      outboxBytes,
      outboxHasMore,
    },
    backups,
  }
}

const shown = ({ status, lagSeconds }: ReplicaState) => ({ is: status, lagSeconds })

const asState = ({ name, deferred, ready, active, parks, parked, failed, oldestSeconds }: QueueBacklog) => ({
  name,
  active,
  parks,
  oldestSeconds,
  waiting: deferred + ready,
  failed: parks ? parked : failed,
})
