import type { Queryable } from '../database/pool.ts'
import { type Metric, MOST_COUNTED, measuredTogether, toSamples } from '../metric.ts'
import { eventBacklog } from './backlog.ts'

/** Metrics of the relay's progress and backlog. */
export const eventMeasures = (db: Queryable): Metric[] =>
  measuredTogether(
    () => eventBacklog(db),
    [
      {
        name: 'events',
        type: 'gauge',
        help: `Events still to be relayed, and those parked after too many tries; each counted up to ${MOST_COUNTED}.`,
        labels: ['state'],
        samples: ({ waiting, parked }) => toSamples('state', Object.entries({ waiting, parked })),
      },
      {
        name: 'event_lag_seconds',
        type: 'gauge',
        help: 'How long the oldest event that could be relayed has been waiting.',
        samples: ({ oldestSeconds }) => [{ value: oldestSeconds ?? 0 }],
      },
    ],
  )
