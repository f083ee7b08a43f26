import { z } from 'zod'
import { csvEndpoint } from './csv.ts'
import { apiLimit, endpoint } from './endpoint.ts'
import { bothFields } from './former-names.ts'
import { MailServer } from './mail.ts'
import { anyOf, Id, IdParams, Instant, listQuery, pageSchema } from './values.ts'

const Count = z.int().min(0)
/** Seconds the oldest job has been ready to run; null if none is. */
const OldestSeconds = Count.nullable()

/**
 * A queue of background jobs. `waiting` includes future retries. `failed` counts the parked jobs if the queue `parks`
 * jobs that fail every attempt, else recent failures.
 */
export const QueueState = z
  .object({
    name: z.string(),
    waiting: Count,
    active: Count,
    failed: Count,
    parks: z.boolean(),
    oldestSeconds: OldestSeconds,
  })
  .meta({ id: 'QueueState' })
export type QueueState = z.infer<typeof QueueState>

export const replicaStates = ['follows', 'behind', 'elsewhere', 'promoted', 'foreign', 'away'] as const

/**
 * The replica that serves lists and statistics while it `follows`. `elsewhere`: it follows a server that is not the
 * primary; `foreign`: it is another database. `lagSeconds` is null if unknown.
 */
const ReplicaState = z.object({ is: z.enum(replicaStates), lagSeconds: z.number().min(0).nullable() })

/**
 * The database: `connections` are those of all its server's clients; `role` is the one that the product serves as, which
 * should change rows only.
 */
const DatabaseState = z.object({
  version: z.string(),
  embedded: z.boolean(),
  bytes: Count,
  connections: Count,
  maxConnections: Count,
  role: z.object({ name: z.string(), changesRowsOnly: z.boolean() }),
  migration: z.object({ name: z.string(), appliedAt: Instant }),
  /** Null if DATABASE_REPLICA_URL is not set, and in a process that serves no calls. */
  replica: ReplicaState.nullable(),
})

/** `server` is null if mail goes to the outbox; `failures` are those of the last 24 hours. */
const MailState = z.object({ server: MailServer.nullable(), lastSentAt: Instant.nullable(), failures: Count })

/**
 * The data folder's disk and its usage: `databaseBytes` is null if the database is elsewhere; `outboxBytes` counts a
 * thousand files, `outboxHasMore` is set if there are others.
 */
const StorageState = z.object({
  freeBytes: Count,
  totalBytes: Count,
  databaseBytes: Count.nullable(),
  outboxBytes: Count,
  outboxHasMore: z.boolean(),
})

/**
 * Backups in BACKUP_DIR; `isOverdue` if there should be a newer one by now. `isRunning` if one is queued or under way;
 * `failingSince` is null once one has succeeded.
 */
const BackupState = z.object({
  everyHours: z.int().min(1),
  count: Count,
  newestAt: Instant.nullable(),
  newestBytes: Count.nullable(),
  isOverdue: z.boolean(),
  isRunning: z.boolean(),
  failingSince: Instant.nullable(),
})

/** The install's state according to the answering process, which has been running since `startedAt`. */
export const System = z
  .object({
    version: z.string(),
    environment: z.enum(['local', 'staging', 'production']),
    processRole: z.enum(['all', 'web', 'worker']),
    startedAt: Instant,
    database: DatabaseState,
    queues: z.array(QueueState),
    events: z.object({ waiting: Count, oldestSeconds: OldestSeconds, parked: Count }),
    mail: MailState,
    storage: StorageState,
    /** Null if none are scheduled. */
    backups: BackupState.nullable(),
  })
  .meta({ id: 'System' })
export type System = z.infer<typeof System>

export const parkedKinds = ['event', 'job'] as const

/**
 * An event that could not be processed, or a job that failed every attempt. `name` is the event's type or the job's
 * queue; `reason` is the last error, without email addresses and values. It is parked since `createdAt`; a job is
 * deleted at `keptUntil`.
 */
export const ParkedTask = z
  .object({
    id: Id,
    kind: z.enum(parkedKinds),
    name: z.string(),
    reason: z.string().nullable(),
    ...bothFields('attempts', Count),
    createdAt: Instant,
    keptUntil: Instant.nullable(),
  })
  .meta({ id: 'ParkedTask' })
export type ParkedTask = z.infer<typeof ParkedTask>

export const getSystem = endpoint('getSystem', 'GET /admin/system', {
  summary: 'Retrieve the status of this installation',
  allow: ['admin'],
  limit: apiLimit,
  reply: System,
})

export const createBackup = endpoint('createBackup', 'POST /admin/system/backups', {
  summary: 'Back up now',
  allow: ['admin'],
  limit: apiLimit,
  status: 202,
  reply: BackupState,
})

export const listParked = endpoint('listParked', 'GET /admin/system/parked', {
  summary: 'List the events and jobs that failed every attempt',
  allow: ['admin'],
  limit: apiLimit,
  query: listQuery({ kind: anyOf(parkedKinds) }),
  reply: pageSchema(ParkedTask),
})

export const downloadParked = csvEndpoint(listParked, {
  summary: 'Download the events and jobs that failed every attempt',
  file: 'parked',
})

export const retryParked = endpoint('retryParked', 'POST /admin/system/parked/:id/retry', {
  summary: 'Retry a parked event or job',
  allow: ['admin'],
  limit: apiLimit,
  params: IdParams,
  status: 202,
  reply: z.object({ count: Count }),
})

export const retryAllParked = endpoint('retryAllParked', 'POST /admin/system/parked/retry', {
  summary: 'Retry all parked events and jobs',
  allow: ['admin'],
  limit: apiLimit,
  status: 202,
  reply: z.object({ count: Count }),
})
