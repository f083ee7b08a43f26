import type { Database } from '../platform/database/pool.ts'
import { type EventBacklog, eventBacklog } from '../platform/events/backlog.ts'
import { lastReason } from '../platform/events/parked.ts'
import { countInWords } from '../platform/format-values.ts'
import { isWorkedOn, type QueueBacklog, queueBacklogs } from '../platform/jobs/backlog.ts'
import '../queues.ts'
import { type Check, type Finding, problemsOr, reportFault, reportOk, reportSkipped, reportWarning } from './check.ts'

/** Seconds after which a due job is late: normally it starts within a second, unless no process works. */
const LATE_SECONDS = 120

/** Checks whether jobs are being processed, and which were given up. */
export const jobQueue: Check = {
  name: 'queue',
  async look(patient) {
    const db = await patient.database()
    const [events, queues] = [await eventBacklog(db), await queueBacklogs(db)]
    const served = await isServed(db)
    return problemsOr(
      served
        ? reportOk('Nothing is waiting, and nothing has failed for good.')
        : reportSkipped('The product isn’t running, so nothing is processed; nothing has failed for good.'),
      judgeWaiting(events, queues, served) ?? (served ? null : judgeStopped(await lastServed(db))),
      judgeGivenUp(events, queues, await lastReason(db)),
    )
  },
}

const isLate = ({ oldestSeconds }: EventBacklog | QueueBacklog) => (oldestSeconds ?? 0) > LATE_SECONDS

function judgeWaiting(events: EventBacklog, queues: QueueBacklog[], served: boolean): Finding | null {
  const late = queues.filter((queue) => isWorkedOn(queue) && isLate(queue))
  const lateEvents = isLate(events) ? [events] : []
  if (late.length + lateEvents.length === 0) return null
  const jobs = late.reduce((sum, { due }) => sum + due, 0)
  const seconds = Math.max(...[...late, ...lateEvents].map(({ oldestSeconds }) => oldestSeconds ?? 0))
  const words = `${countInWords(jobs, 'job')} and ${countInWords(lateEvents[0]?.waiting ?? 0, 'event')} wait, the oldest for ${countInWords(Math.round(seconds / 60), 'minute')}`
  if (!served)
    return reportFault(`${words}, and the product isn’t running.`, 'Start it; its log has the reason why it stopped.')
  return reportFault(
    `${words}: no worker processes them.`,
    'Start a process with PROCESS_ROLE all or worker; if one is running, its log has the reason for the delay.',
  )
}

/** Reports that the product is down; one that never ran is yet to be started. */
const judgeStopped = (at: string | null) =>
  at === null
    ? null
    : reportWarning(
        `The product isn’t running: nothing has been processed since ${at}.`,
        'Start it; its log has the reason why it stopped.',
      )

function judgeGivenUp(events: EventBacklog, queues: QueueBacklog[], reason?: string | null): Finding | null {
  const jobs = queues.find((queue) => !isWorkedOn(queue))?.due ?? 0
  if (jobs + events.parked === 0) return null
  const last = reason ? ` The last one: ${reason.slice(0, 200)}` : ''
  return reportWarning(
    `${countInWords(jobs, 'job')} and ${countInWords(events.parked, 'event')} failed every attempt and were parked.${last}`,
    "Administrators see why on the page 'System', and retry it there once the reason is gone.",
  )
}

/** Returns when a process last counted the jobs of a queue, which each one with jobs does every few seconds. */
const lastServed = (db: Database) => db.value<string | null>`
  select max(monitor_on)::timestamptz(3) from pgboss.queue`

/**
 * Whether a process of the product is connected. Each has at least two connections, for its queue and for
 * notifications; connections of unknown clients may be anything. Ours have their own name.
 */
const isServed = (db: Database) => db.value<boolean>`
  select count(*) >= 2 from pg_stat_activity
  where datname = current_database() and coalesce(backend_type, 'client backend') = 'client backend'
    and application_name is distinct from current_setting('application_name')`
