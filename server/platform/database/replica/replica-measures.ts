import { defineCounter, defineGauge, type Metric } from '../../metric.ts'
import type { Replica } from './replica.ts'

/** Metrics of a replica. */
export const replicaMeasures = (replica: Replica): Metric[] => [
  defineCounter(
    'replica_reads_total',
    'Reads that a replica may answer, by the database they were read from.',
    'from',
    replica.reads,
  ),
  defineGauge('replica_up', 'Whether the replica follows the database closely enough to be read from.', async () =>
    (await replica.look()).status === 'follows' ? 1 : 0,
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
