import { counter, gauge, type Metric } from '../../metric.ts'
import type { Replica } from './replica.ts'

/** Metrics of a replica. */
export const replicaMeasures = (replica: Replica): Metric[] => [
  counter(
    'replica_reads_total',
    'Reads that a replica may answer, by the database they were read from.',
    'from',
    replica.reads,
  ),
  gauge('replica_up', 'Whether the replica follows the database closely enough to be read from.', async () =>
    (await replica.look()).is === 'follows' ? 1 : 0,
  ),
  {
    name: 'replica_lag_seconds',
    type: 'gauge',
    help: 'How far the replica is behind; absent while that cannot be told.',
    async read() {
      const { lagSeconds } = await replica.look()
      return lagSeconds === null ? [] : [{ value: lagSeconds }]
    },
  },
]
