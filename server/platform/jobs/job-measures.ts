import type { Queryable } from '../database/pool.ts'
import { defineCounter, type Metric, measuredTogether, Tally, toSamples } from '../metric.ts'
import { isWorkedOn, type QueueBacklog, queueBacklogs } from './backlog.ts'
import { failuresAlone } from './each-alone.ts'

/** Tries of jobs in this process, by queue. */
export const jobsDone = new Tally()
export const jobsFailed = new Tally()

/** Metrics of the work in every queue, its age, and the tries of this process. */
export const jobMeasures = (db: Queryable): Metric[] => [
  ...measuredTogether(
    () => queueBacklogs(db),
    [
      {
        name: 'jobs',
        type: 'gauge',
        help: 'Jobs by queue and state, counted every few seconds.',
        labels: ['queue', 'state'],
        samples: (queues) => queues.flatMap(asSamples),
      },
      {
        name: 'queue_lag_seconds',
        type: 'gauge',
        help: 'How long the oldest job that could run has been waiting, by queue.',
        labels: ['queue'],
        samples: (queues) =>
          toSamples(
            'queue',
            queues.filter(isWorkedOn).map(({ name, oldestSeconds }) => [name, oldestSeconds ?? 0]),
          ),
      },
    ],
  ),
  defineCounter('jobs_done_total', 'Jobs done by this process, by queue.', 'queue', jobsDone),
  defineCounter('jobs_failed_total', 'Tries of jobs that failed in this process, by queue.', 'queue', jobsFailed),
  defineCounter('account_failures_total', 'Failures of a scheduled task for a single account.', 'clock', failuresAlone),
]

const asSamples = ({ name, deferred, ready, active, failed }: QueueBacklog) =>
  Object.entries({ deferred, ready, active, failed }).map(([state, value]) => ({
    labels: { queue: name, state },
    value,
  }))
