import { defineGauge, defineGauges, type Metric } from '../metric.ts'
import type { Database } from './pool.ts'

/** Metrics of the database's availability and its pool of connections. */
export const poolMeasures = ({ pool }: Pick<Database, 'pool'>): Metric[] => [
  defineGauges('database_connections', 'Connections in the pool, by state.', 'state', () => [
    ['used', pool.totalCount - pool.idleCount],
    ['idle', pool.idleCount],
  ]),
  defineGauge('database_connections_max', 'Maximum number of connections in the pool.', () => pool.options.max),
  defineGauge('database_waiting', 'Statements and transactions waiting for a connection.', () => pool.waitingCount),
]
