/**
 * How the server at an address assigns connections: for a session, as PostgreSQL itself does, or for a transaction. The
 * latter doesn't preserve settings, notifications or statement names.
 */
export type Pooling = 'session' | 'transaction'

export type DatabaseAddress = { url: string; pooling: Pooling }

/** Time-outs in milliseconds: for a free connection, a statement, a lock, and an idle transaction. */
export const WAITS = { connection: 3000, statement: 15_000, lock: 5000, idle: 10_000 }

const settings = (patience: number) => [
  "timezone = 'UTC'",
  `statement_timeout = ${WAITS.statement * patience}`,
  `lock_timeout = ${WAITS.lock * patience}`,
  `idle_in_transaction_session_timeout = ${WAITS.idle * patience}`,
  'synchronous_commit = on',
  // without effect except on a cluster: a transaction's limits hold on all its machines; it may read on all of them and
  // then write to a table that is everywhere; and checks of every account may join rows of several machines
  "citus.propagate_set_commands = 'local'",
  "citus.multi_shard_modify_mode = 'sequential'",
  'citus.enable_repartition_joins = on',
  // a statement on every part of a table takes one connection to a machine, and more only once it lasts
  'citus.executor_slow_start_interval = 1000',
  // parts are views of shards
  'citus.enable_manual_changes_to_shards = on',
]

/** Returns a statement that configures a connection. */
export const sessionSettings = (patience: number): string => `set ${settings(patience).join('; set ')}`

/** Returns statements that configure a transaction. */
export const localSettings = (patience: number): string[] => settings(patience).map((one) => `set local ${one}`)
