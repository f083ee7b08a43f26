import { byName, type Measure } from '../measure.ts'
import type { Database } from './pool.ts'

/** Metrics of the database's availability and its pool of connections. */
export const poolMeasures = ({ pool }: Pick<Database, 'pool'>): Measure[] => [
  {
    name: 'database_connections',
    type: 'gauge',
    help: 'Connections in the pool, by state.',
    labels: ['state'],
    read: () =>
      byName('state', [
        ['used', pool.totalCount - pool.idleCount],
        ['idle', pool.idleCount],
      ]),
  },
  {
    name: 'database_connections_max',
    type: 'gauge',
    help: 'Maximum number of connections in the pool.',
    read: () => [{ value: pool.options.max }],
  },
  {
    name: 'database_waiting',
    type: 'gauge',
    help: 'Statements and transactions waiting for a connection.',
    read: () => [{ value: pool.waitingCount }],
  },
]
