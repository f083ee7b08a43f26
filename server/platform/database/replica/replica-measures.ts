import { byName, type Measure } from '../../measure.ts'
import type { Replica } from './replica.ts'

/** Metrics of a replica, if there is one. */
export const replicaMeasures = (replica: Replica | undefined): Measure[] =>
  replica
    ? [
        {
          name: 'replica_reads_total',
          type: 'counter',
          help: 'Reads that a replica may answer, by the database they were read from.',
          labels: ['from'],
          read: () => byName('from', replica.reads),
        },
        {
          name: 'replica_up',
          type: 'gauge',
          help: 'Whether the replica follows the database closely enough to be read from.',
          read: async () => [{ value: (await replica.look()).is === 'follows' ? 1 : 0 }],
        },
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
    : []
