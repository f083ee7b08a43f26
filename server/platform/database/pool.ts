import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { Logger } from 'pino'
import { refusal } from '../refusal.ts'
import { runWithoutCause } from '../work-context.ts'
import { arrayText } from './array-text.ts'
import { Client } from './client.ts'
import { localSettings, type Pooling, sessionSettings, WAITS } from './connection-settings.ts'
import { hasCode, isDatabaseAway, isDiskFull } from './database-errors.ts'
import { findHosts } from './failover/hosts.ts'
import { watchGrowth } from './growth.ts'
import { compileSql, Sql } from './sql.ts'
import { createNames, isNameLost, type StatementNames } from './statement-names.ts'
import { timeStatement } from './time-statement.ts'

export { isDatabaseAway, isDiskFull }

/** The product's time source. Tests and the demo control it. */
export type Clock = { now(): Date }
export const systemClock: Clock = { now: () => new Date() }

type Row = Record<string, unknown>
type Template = [strings: TemplateStringsArray, ...values: unknown[]]

/**
 * Runs statements written as tagged templates. Columns are returned in camelCase, bigint as number, instants and dates
 * as text.
 */
export type Queryable = {
  /** Current time; inside a transaction its start. */
  readonly now: Date
  many<T = Row>(...statement: Template): Promise<T[]>
  /** Returns the row, or undefined. */
  maybe<T = Row>(...statement: Template): Promise<T | undefined>
  /** Returns the row; a missing one is a bug. */
  one<T = Row>(...statement: Template): Promise<T>
  /** Returns the only column of the row. */
  value<T>(...statement: Template): Promise<T>
  /** Returns the number of rows written. */
  run(...statement: Template): Promise<number>
}

export type Transaction = Queryable & {
  readonly kind: 'transaction'
  readonly database: Database
  /** Whether it runs again if it turns out to be `Overtaken`. */
  readonly mayRunAgain: boolean
  /** For modules with their own SQL, such as the job queue. */
  readonly client: pg.PoolClient
  /** Runs `last` once per key at the end of the work, for locks that are taken after all others. */
  atEnd(key: string, last: () => Promise<void>): void
  /** Runs what waits for the end now: for callers that read its results, and lock nothing more. */
  finish(): Promise<void>
  /** Runs after the commit, never after a rollback; must not throw. */
  afterCommit(effect: () => void): void
}

export type Database = Queryable & {
  readonly kind: 'database'
  readonly url: string
  /** The address for features bound to a connection: the same one, unless it is a pooler's. */
  readonly directUrl: string
  readonly clock: Clock
  readonly pool: pg.Pool
  readonly log: Logger
  /** Statements that configure each transaction, if connections cannot be configured. */
  readonly settings: string[]
  readonly names: StatementNames
  /**
   * Notifies listeners on this channel, soon and once for many calls: outside of any transaction, since PostgreSQL
   * serializes commits with notifications.
   */
  notify(channel: string): void
  /** Events that this process has committed, emitted at once to its own listeners; others get them from PostgreSQL. */
  readonly ownNews: EventEmitter
  /** Whether the tables that bookings write are known to be large. */
  isGrown(): boolean
  /** Opens the database at another address alike. */
  beside(url: string): Database
  /**
   * Returns the same database, with statements that begin each of its transactions; `name` distinguishes the plans that
   * PostgreSQL caches for them, or is null if none are to be cached.
   */
  beginningWith(statements: string[], name: string | null): Database
  close(): Promise<void>
}

const camel = new Map<string, string>()
const camelCase = (name: string) => {
  let known = camel.get(name)
  if (known === undefined) {
    known = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    camel.set(name, known)
  }
  return known
}

// rows that were written together have the same time
let lastInstant = { text: '', iso: '' }
function instant(text: string) {
  if (text !== lastInstant.text)
    lastInstant = { text, iso: new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString() }
  return lastInstant.iso
}
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.DATE, (text) => text],
  [pg.types.builtins.TIMESTAMPTZ, instant],
  [pg.types.builtins.NUMERIC, Number],
  [1182, (text) => (text === '{}' ? [] : text.slice(1, -1).split(','))],
])
const types = {
  getTypeParser: (oid: number, format?: string) =>
    parsers.get(oid) ??
    (pg.types.getTypeParser as (oid: number, format?: string) => (text: string) => unknown)(oid, format),
}

const names = new Map<string, string>()
function nameOf(text: string) {
  let name = names.get(text)
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}
const holdsValues = (piece: unknown): boolean =>
  piece instanceof Sql && piece.values.some((value) => !(value instanceof Sql) || holdsValues(value))

/**
 * A place in the code that sends statements. `texts`: those of statements with values in nested pieces, until there are
 * too many. `last`: the latest statement without such values, whose texts are all written in the code.
 */
type Place = { texts: Set<string>; last?: { pieces: unknown[]; text: string; name: string } }
const places = new WeakMap<readonly string[], Place>()
type Prepared = { text: string; name: string | undefined; values: unknown[] }

/** A place with more texts sends lists with filters, each of which is planned for its values. */
const FEW_TEXTS = 16

/** Returns the text, its values, and the name by which PostgreSQL caches its plan, if any. */
function prepared(strings: readonly string[], values: readonly unknown[]): Prepared {
  // a statement that is one piece is written at the place of the piece
  const [only] = values
  if (only instanceof Sql && 'raw' in only.strings && strings.join('') === '')
    return prepared(only.strings, only.values)
  const place = places.get(strings) ?? { texts: new Set() }
  const { last } = place
  if (last && values.every((value, index) => !(value instanceof Sql) || value === last.pieces[index]))
    return { text: last.text, name: last.name, values: values.filter((value) => !(value instanceof Sql)) }
  places.set(strings, place)
  const { text, values: bound } = compileSql(new Sql(strings, values))
  if (values.some(holdsValues)) {
    if (place.texts.size <= FEW_TEXTS) place.texts.add(text)
    return { text, name: place.texts.size <= FEW_TEXTS ? nameOf(text) : undefined, values: bound }
  }
  const name = nameOf(text)
  place.last = { pieces: values.map((value) => (value instanceof Sql ? value : undefined)), text, name }
  return { text, name, values: bound }
}

type Runner = { query(statement: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<unknown[]>> }

function queries(runner: Runner) {
  const send = async (strings: TemplateStringsArray, given: unknown[]) => {
    const { text, name, values } = prepared(strings, given)
    const bound = values.map((value) => (Array.isArray(value) ? arrayText(value) : value))
    return timeStatement(text, () => runner.query({ text, values: bound, name, rowMode: 'array', types }))
  }
  const many = async <T>(...[strings, ...values]: Template) => {
    const { rows, fields } = await send(strings, values)
    const keys = fields.map((field) => camelCase(field.name))
    return rows.map((row) => {
      const object: Record<string, unknown> = {}
      for (let index = 0; index < keys.length; index++) object[keys[index]!] = row[index]
      return object as T
    })
  }
  const maybe = async <T>(...statement: Template) => (await many<T>(...statement))[0]
  const one = async <T>(...statement: Template) => {
    const row = await maybe<T>(...statement)
    if (!row) throw new Error(`no row: ${statement[0].join('?').trim().slice(0, 80)}`)
    return row
  }
  const value = async <T>(...statement: Template) => Object.values(await one(...statement))[0] as T
  const run = async (...[strings, ...values]: Template) => (await send(strings, values)).rowCount ?? 0
  return { many, maybe, one, value, run }
}

/** Whether an error affects the whole transaction, which is then repeated, or fails. */
export const concernsAll = (error: unknown) => rerunnable(error) || isDatabaseAway(error)

export const databaseAway = () => refusal('database_away', { retryAfter: 1 })

/** Whether an error is a wait for a lock exceeding `lock_timeout`. */
export const heldByLock = (error: unknown) => hasCode(error, '55P03')

export const databaseFull = () => refusal('database_full', { retryAfter: 30 })

export const tooBusy = () => refusal('server_busy', { retryAfter: 1 })

/**
 * Opens a pool of at most `max` connections; with the statement, lock and idle limits of security.md section 12, times
 * `patience`. `growing`: the tables that bookings write.
 */
export function openDatabase(options: {
  url: string
  pooling?: Pooling
  directUrl?: string
  log: Logger
  clock?: Clock
  max?: number
  patience?: number
  growing?: string[]
  /** Off for COPY, which uses its connection exclusively. */
  pipeline?: boolean
  /** For a server with a substitute: time-outs in milliseconds for connecting, and for any answer. */
  gone?: { connectMs: number; answerMs: number }
}): Database {
  const { url, pooling = 'session', log, clock = systemClock, max = 20, patience = 1 } = options
  const { growing = [], pipeline = true, gone, directUrl = url } = options
  const isSession = pooling === 'session'
  const settings = isSession ? [] : localSettings(patience)
  const names = createNames({ areUsed: isSession, log })
  const connectionTimeoutMillis = gone?.connectMs ?? WAITS.connection * patience
  // behind a pooler, the first statement waits for a connection
  const setUp = { text: sessionSettings(patience), query_timeout: connectionTimeoutMillis }
  findHosts(url)?.tellTo(log)
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max,
    pipeline,
    connectionTimeoutMillis,
    query_timeout: gone?.answerMs,
    idleTimeoutMillis: 20_000,
    ...(isSession && { onConnect: (client: pg.ClientBase) => client.query(setUp) }),
  })
  // Without a listener a single dropped connection would end the process.
  pool.on('error', (error) => {
    // Connections closing at the end may find the embedded PostgreSQL stopped already. A replica has a substitute, so
    // the caller judges its loss.
    const fields = gone ? { error: error.message } : { error }
    if (!pool.ending) runWithoutCause(() => log.warn(fields, 'an idle database connection was lost'))
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  const database: Database = {
    kind: 'database',
    url,
    directUrl,
    clock,
    pool,
    log,
    settings,
    names,
    get now() {
      return clock.now()
    },
    ...queries(isSession ? onAny(pool, names) : eachByItself(pool, begin(pool, settings), names)),
    notify: createNotify(pool),
    ownNews: new EventEmitter(),
    isGrown: watchGrowth(pool, clock, growing),
    beside: (other) => openDatabase({ ...options, url: other, directUrl: other, growing: [] }),
    beginningWith(statements, name) {
      const own = { settings: [...settings, ...statements], names: names.of(name) }
      const first = { text: begin(pool, own.settings).text }
      return Object.assign(Object.create(database), own, queries(eachByItself(pool, first, own.names)))
    },
    close: () => pool.end(),
  }
  return database
}

const NOTIFY_AFTER_MS = 5

function createNotify(pool: pg.Pool) {
  const waiting = new Set<string>()
  return (channel: string) => {
    if (waiting.has(channel)) return
    waiting.add(channel)
    setTimeout(() => {
      waiting.delete(channel)
      // a lost hint is compensated by periodic checks
      if (!pool.ending) pool.query('select pg_notify($1, $2)', [channel, '']).catch(() => {})
    }, NOTIFY_AFTER_MS).unref()
  }
}

const TRIES = 5
/** Another transaction wrote the row first; a retry will find it. */
export class Overtaken extends Error {}
const rerunnable = (error: unknown) =>
  error instanceof Overtaken || isNameLost(error) || hasCode(error, '40001', '40P01')

/**
 * Runs `work` in one transaction, or joins the given one. A deadlock, a serialization failure, `Overtaken` or a lost
 * name repeats it, five times at most; so it must have no effect outside the database. Statements sent in one turn are
 * pipelined, and run in the order written. A transaction opened here waits for a lock no longer than `lockTimeoutMs`,
 * or the pool's default. With `keepsPlans` each of its statements has one plan whatever its values, once the tables are
 * large.
 */
export async function transaction<T>(
  db: Database | Transaction,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return db.kind === 'transaction' ? work(db) : withRetries((mayRunAgain) => runOnce(db, work, options, mayRunAgain))
}

/** Runs `work` in one transaction, once: for callers with an alternative to a retry. */
export const transactionOnce = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  runOnce(db, work, {}, false)

/** Runs a transaction that books by keys, row by row, with cached plans. */
export const bookingTransaction = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  transaction(db, work, { keepsPlans: true })

type TransactionOptions = { lockTimeoutMs?: number; keepsPlans?: boolean }

function beginning(db: Database, { lockTimeoutMs, keepsPlans }: TransactionOptions) {
  const wanted = [
    lockTimeoutMs && `set local lock_timeout = ${Math.ceil(lockTimeoutMs)}`,
    keepsPlans && db.isGrown() && 'set local plan_cache_mode = force_generic_plan',
  ]
  return begin(db.pool, db.settings, wanted.filter(Boolean) as string[])
}

/** Begins a transaction; a pooler's wait for a connection is limited like one for the pool's. */
const begin = ({ options }: pg.Pool, settings: string[], wanted: string[] = []) => ({
  text: ['begin', ...settings, ...wanted].join('; '),
  ...(settings.length > 0 && { query_timeout: options.connectionTimeoutMillis }),
})

/** Repeats a single statement after conflicts, five times at most. */
export async function withRetries<T>(work: (mayRunAgain: boolean) => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await work(turn < TRIES)
    } catch (error) {
      if (!rerunnable(error) || turn === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40 * turn))
    }
  }
}

/**
 * Returns a connection that sends the statements of one loop turn together: each packet wakes PostgreSQL, and costs as
 * much as a small statement.
 */
function packed(client: pg.PoolClient): pg.PoolClient {
  const { stream } = (client as pg.PoolClient & pg.Client).connection
  let isGathering = false
  const query = (...statement: [never]) => {
    if (!isGathering) {
      isGathering = true
      stream.cork()
      process.nextTick(() => {
        isGathering = false
        stream.uncork()
      })
    }
    return client.query(...statement)
  }
  return Object.create(client, { query: { value: query } })
}

/** Returns the error of `begin`, which others follow from, as behind a pooler in statement mode; else the given one. */
const causeOf = (begun: Promise<unknown>, error: unknown) =>
  begun.then(
    () => error,
    (cause) => cause,
  )

/** Sends each statement by its name; again, without one, if the name was lost. */
const named = (names: StatementNames, send: Runner['query']): Runner => {
  const query: Runner['query'] = (statement) => send(names.on(statement))
  return {
    query: (statement) =>
      query(statement).catch((error) => {
        if (names.areLost(error)) return query(statement)
        throw error
      }),
  }
}

/** Runs each statement on any free connection. */
const onAny = (pool: pg.Pool, names: StatementNames): Runner => named(names, (statement) => pool.query(statement))

/** Runs each statement as a transaction with the settings, all in one packet. */
const eachByItself = (pool: pg.Pool, first: { text: string }, names: StatementNames): Runner =>
  named(names, async (statement) => {
    const connection = await pool.connect()
    const client = packed(connection)
    const begun = client.query(first)
    const answered = client.query<unknown[]>(statement)
    const committed = client.query({ text: 'commit' })
    const [, answer, commit] = await Promise.allSettled([begun, answered, committed])
    const failed = [answer, commit].find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    connection.release(isDatabaseAway(failed?.reason) ? failed?.reason : undefined)
    if (failed) throw await causeOf(begun, failed.reason)
    return answered
  })

/** PostgreSQL's code for a statement in a failed transaction. */
const ABORTED = '25P02'

/**
 * Returns the statements of a transaction. One that fails because of an earlier one sent with it gets that one's error;
 * a statement sent after the end, since a concurrent one failed, is refused.
 */
function statementsOf(client: pg.PoolClient, names: StatementNames) {
  let cause: unknown
  let hasFailed = false
  let isOver = false
  // a statement pipelined after a refused one with the same name does not find the name
  const follows = (error: unknown) => hasCode(error, ABORTED) || (hasFailed && isNameLost(error))
  const query: Runner['query'] = async (statement) => {
    if (isOver) throw new Error('the transaction is over')
    try {
      const answer = await client.query<unknown[]>(names.on(statement))
      hasFailed = false
      return answer
    } catch (error) {
      if (!follows(error)) {
        names.areLost(error)
        cause = error
      }
      hasFailed = true
      throw cause ?? error
    }
  }
  return {
    ...queries({ query }),
    end() {
      isOver = true
    },
  }
}

async function runOnce<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
  mayRunAgain: boolean,
): Promise<T> {
  const connection = await db.pool.connect()
  const client = packed(connection)
  const effects: (() => void)[] = []
  const last = new Map<string, () => Promise<void>>()
  const finish = async () => {
    for (const [key, work] of last) {
      last.delete(key)
      await work()
    }
  }
  let broken: Error | undefined
  // not awaited: the first statement is sent in the same packet
  const begun = client.query(beginning(db, options))
  begun.catch(() => {})
  const { end, ...statements } = statementsOf(client, db.names)
  try {
    const result = await work({
      kind: 'transaction',
      database: db,
      mayRunAgain,
      client,
      now: db.now,
      atEnd: (key, work) => last.set(key, work),
      finish,
      afterCommit: (effect) => effects.push(effect),
      ...statements,
    })
    await finish()
    end()
    await begun
    await timeStatement('commit', () => client.query('commit'))
    for (const effect of effects) effect()
    return result
  } catch (error) {
    end()
    if (isDatabaseAway(error)) broken = error as Error
    else await client.query('rollback').catch((lost) => (broken = lost))
    throw await causeOf(begun, error)
  } finally {
    connection.release(broken)
  }
}

/** Runs `work` so that its failure undoes only its own part of the transaction. */
export async function withSavepoint<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.client.query('savepoint part')
  try {
    const result = await work()
    await tx.client.query('release savepoint part')
    return result
  } catch (error) {
    await tx.client.query('rollback to savepoint part; release savepoint part').catch((lost) => {
      // a machine of a cluster that is lost takes the savepoint with it
      throw isDatabaseAway(error) ? error : lost
    })
    throw error
  }
}

/** Runs `work`; an error undoes its writes, and so does the end: returns its result and rolls back. */
async function undoing<Given, T>(
  where: (work: (given: Given) => Promise<never>) => Promise<never>,
  work: (given: Given) => Promise<T>,
): Promise<T> {
  const toBeUndone = new Error('undone')
  let result: T
  try {
    return await where(async (given) => {
      result = await work(given)
      throw toBeUndone
    })
  } catch (error) {
    if (error !== toBeUndone) throw error
    return result!
  }
}

/** Runs `work`, returns its result, and undoes its writes. */
export const withRollback = <T>(tx: Transaction, work: () => Promise<T>): Promise<T> =>
  undoing<void, T>((all) => withSavepoint(tx, all), work)

/**
 * Runs `work` in its own transaction, returns its result, and rolls everything back: it is never visible to others, has
 * no consequences, and leaves nothing behind if the process dies.
 */
export const rolledBack = <T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  options: { lockTimeoutMs?: number } = {},
): Promise<T> => undoing<Transaction, T>((all) => transaction(db, all, options), work)
