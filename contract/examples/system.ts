import { bothNames } from '../former-names.ts'
import type * as room from '../system.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const parked: room.ParkedTask = {
  id: ids.parked,
  kind: 'job',
  name: 'incoming-delivery',
  reason: 'connect ECONNREFUSED',
  ...bothNames('attempts', 101),
  createdAt: '2026-07-27T21:01:11.020Z',
  keptUntil: '2026-08-10T21:01:11.020Z',
}

const backups: NonNullable<room.System['backups']> = {
  everyHours: 24,
  count: 7,
  newestAt: '2026-07-27T02:00:00.000Z',
  newestBytes: 6_100_000,
  isOverdue: false,
  isRunning: false,
  failingSince: null,
}

export const system: ExamplesOf<typeof room> = {
  getSystem: {
    reply: {
      version: '1.0.0',
      environment: 'production',
      processRole: 'all',
      startedAt: '2026-07-20T08:00:00.000Z',
      database: {
        version: '18.1',
        embedded: true,
        bytes: 48_300_000,
        connections: 14,
        maxConnections: 100,
        role: { name: 'tributary_serving', changesRowsOnly: true },
        migration: { name: '0001-schema', appliedAt: '2026-07-20T08:00:00.000Z' },
        replica: null,
      },
      queues: [{ name: 'mail', waiting: 2, active: 1, failed: 0, parks: true, oldestSeconds: 1 }],
      events: { waiting: 0, oldestSeconds: null, parked: 0 },
      mail: {
        server: { host: 'smtp.acme.example', port: 587 },
        lastSentAt: '2026-07-27T21:01:11.020Z',
        failures: 0,
      },
      storage: {
        freeBytes: 61_000_000_000,
        totalBytes: 80_000_000_000,
        databaseBytes: 48_300_000,
        outboxBytes: 0,
        outboxHasMore: false,
      },
      backups,
    },
  },
  createBackup: { refused: ['backup_folder_missing', 'backup_running'], reply: { ...backups, isRunning: true } },
  listParked: { query: { kind: 'job' }, reply: onlyPage(parked) },
  retryParked: { params: { id: ids.parked }, refused: ['not_parked'], reply: { count: 1 } },
  retryAllParked: { refused: ['nothing_parked'], reply: { count: 3 } },
}
