import type { QueueState, System } from '#contract/system.ts'

/** A problem, with the values that its sentence interpolates. */
export type SystemTrouble =
  | { kind: 'parked' | 'mail'; count: number }
  | { kind: 'late'; queue: string; seconds: number }
  | { kind: 'disk'; free: number; total: number }
  | { kind: 'connections'; used: number; max: number }
  | { kind: 'backups'; since: string | null }
  | { kind: 'failing-backups'; since: string }
  | { kind: 'replica'; state: Unfit }

type Replica = NonNullable<System['database']['replica']>
type Unfit = Exclude<Replica['is'], 'follows'>

/** Seconds a job may wait in a queue that is being worked on. */
const LATE_SECONDS = 300
const LEAST_FREE_BYTES = 1_000_000_000
const LEAST_FREE_PART = 0.05
const MOST_CONNECTIONS_PART = 0.9

/** The name of the events among the queues. */
export const EVENTS = 'events'

/** Returns the queues, preceded by the events that start their jobs. */
export const listQueues = ({ queues, events: { waiting, parked, oldestSeconds } }: System): QueueState[] => [
  { name: EVENTS, waiting, active: 0, failed: parked, parks: true, oldestSeconds },
  ...queues,
]

export const parkedIn = (system: System) =>
  listQueues(system).reduce((sum, { parks, failed }) => sum + (parks ? failed : 0), 0)

/** Returns all problems that need a person, most urgent first. */
export const findTroubles = (system: System): SystemTrouble[] =>
  [ofDisk, ofLate, ofConnections, ofReplica, ofBackups, ofParked, ofMail].flatMap((of) => of(system) ?? [])

function ofDisk({ storage: { freeBytes: free, totalBytes: total } }: System): SystemTrouble | undefined {
  return free < LEAST_FREE_BYTES || free < total * LEAST_FREE_PART ? { kind: 'disk', free, total } : undefined
}

/** Reports the queue that is the furthest behind. */
function ofLate(system: System): SystemTrouble | undefined {
  const waits = ({ oldestSeconds }: QueueState) => oldestSeconds ?? 0
  const latest = listQueues(system).reduce((one, other) => (waits(other) > waits(one) ? other : one))
  return waits(latest) >= LATE_SECONDS ? { kind: 'late', queue: latest.name, seconds: waits(latest) } : undefined
}

function ofConnections({ database: { connections: used, maxConnections: max } }: System): SystemTrouble | undefined {
  return used >= max * MOST_CONNECTIONS_PART ? { kind: 'connections', used, max } : undefined
}

function ofReplica({ database: { replica } }: System): SystemTrouble | undefined {
  return replica && replica.is !== 'follows' ? { kind: 'replica', state: replica.is } : undefined
}

function ofBackups({ backups }: System): SystemTrouble | undefined {
  if (backups?.failingSince) return { kind: 'failing-backups', since: backups.failingSince }
  return backups?.isOverdue ? { kind: 'backups', since: backups.newestAt } : undefined
}

function ofParked(system: System): SystemTrouble | undefined {
  const count = parkedIn(system)
  return count > 0 ? { kind: 'parked', count } : undefined
}

const ofMail = ({ mail: { failures: count } }: System): SystemTrouble | undefined =>
  count > 0 ? { kind: 'mail', count } : undefined
