import type pg from 'pg'
import { StartRefusal } from '../config/start-refusal.ts'
import { type Patience, withBriefLocks } from './brief-locks.ts'
import type { Migration, Step } from './migration-files.ts'
import { type Database, isDatabaseAway, isDiskFull, type Transaction } from './pool.ts'
import { INSUFFICIENT_PRIVILEGE } from './serving-role.ts'

/** A connection of its own, by its backend. */
export type Alone = { client: pg.PoolClient; pid: number; patience: Patience }

/** Applies it while others read and write: who asks for the same tables waits a moment, or for what is done there. */
export const applyBesideOthers = (db: Database, alone: Alone, migration: Migration): Promise<void> =>
  named(migration, () => applyBriefly(db, alone, migration))

/** Applies it in a transaction that makes or fills a database, where nobody else is at work yet. */
export const applyWithin = (tx: Transaction, migration: Migration): Promise<void> =>
  named(migration, () => applyWhole(tx, migration))

async function applyBriefly(db: Database, { client, pid, patience }: Alone, migration: Migration) {
  const briefly = <T>(lockMs: number, work: () => Promise<T>) =>
    withBriefLocks({ db, pid, patience, migration: migration.name }, async () => {
      await client.query(`set lock_timeout = ${lockMs}`)
      return work()
    })
  if (!migration.steps) {
    await briefly(patience.biteMs, () => inTransaction(client, migration, db.now))
    return
  }
  for (const step of migration.steps) {
    // nobody else waits for who builds or drops an index beside them
    const once = () => briefly(step.isBatch ? patience.biteMs : patience.totalMs, () => take(client, step))
    if (step.isBatch) while ((await once()) > 0);
    else await once()
  }
  await note(client, migration, db.now)
}

async function inTransaction(client: pg.PoolClient, migration: Migration, now: Date) {
  await client.query('begin')
  try {
    await client.query(migration.text)
    await note(client, migration, now)
    await client.query('commit')
  } catch (error) {
    // a connection that is lost has undone it
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const note = (client: pg.ClientBase, { name, hash }: Migration, now: Date) =>
  client.query('insert into migrations (name, hash, applied_at) values ($1, $2, $3)', [name, hash, now])

/** Returns how many rows were changed. */
async function take(client: pg.ClientBase, { text, index }: Step) {
  if (index !== null) {
    const { rows } = await client.query<{ exists: boolean }>(
      'select exists (select from pg_index where indexrelid = to_regclass($1) and not indisvalid)',
      [index],
    )
    if (rows[0]!.exists) await client.query(`drop index concurrently ${index}`)
  }
  const { rowCount } = await client.query(text)
  return rowCount ?? 0
}

async function applyWhole(tx: Transaction, migration: Migration) {
  await tx.run`set local statement_timeout = 0`
  if (migration.steps === null) await tx.client.query(migration.text)
  for (const { text, isBatch } of migration.steps ?? []) {
    const once = async () =>
      (await tx.client.query(isBatch ? text : text.replace(/ concurrently /i, ' '))).rowCount ?? 0
    if (isBatch) while ((await once()) > 0);
    else await once()
  }
  await note(tx.client, migration, tx.now)
}

/** Adds to an error which migration it was, in words for the operator. */
const named = ({ name }: Migration, work: () => Promise<void>) =>
  work().catch((error) => {
    throw inWords(error, name)
  })

function inWords(error: unknown, name: string): unknown {
  const { code = '', message, detail } = error as { code?: string; message: string; detail?: string }
  if (error instanceof StartRefusal || isDatabaseAway(error) || code === INSUFFICIENT_PRIVILEGE) return error
  if (isDiskFull(error))
    return new StartRefusal(
      `The disk of the database is full, so migration ${name} could not be applied. Nothing was lost. Make room there and try again.`,
    )
  return new StartRefusal(
    `Migration ${name} could not be applied: ${[message, detail].filter(Boolean).join(' ')}. What came before it stays, and the release before goes on working. Please report this.`,
  )
}
