import type pg from 'pg'
import { StartRefusal } from '../config/start-refusal.ts'
import { type Patience, withBriefLocks } from './brief-locks.ts'
import { isForbidden } from './database-errors.ts'
import type { Migration, MigrationStep } from './migration-files.ts'
import { type Database, isDatabaseAway, isDiskFull, type Transaction } from './pool.ts'

/** An exclusive connection, and its backend's process id. */
export type Alone = { client: pg.PoolClient; pid: number; patience: Patience }

/** Applies a migration during operation: concurrent statements wait briefly for locks, or for a batch. */
export const applyBesideOthers = (db: Database, alone: Alone, migration: Migration): Promise<void> =>
  named(migration, () => applyBriefly(db, alone, migration))

/** Applies a migration in a transaction that creates or fills a database without other users. */
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
    // concurrent index builds block no other statements
    const once = () => briefly(step.isBatch ? patience.biteMs : patience.totalMs, () => runStep(client, step))
    if (step.isBatch) while ((await once()) > 0);
    else await once()
  }
  await note(client, migration, db.now)
}

async function inTransaction(client: pg.PoolClient, migration: Migration, now: Date) {
  await client.query('begin')
  try {
    for (const statement of migration.statements) await client.query(statement)
    await note(client, migration, now)
    await client.query('commit')
  } catch (error) {
    // a lost connection has rolled back
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const note = (client: pg.ClientBase, { name, hash }: Migration, now: Date) =>
  client.query('insert into migrations (name, hash, applied_at) values ($1, $2, $3)', [name, hash, now])

/** Runs a step; returns the number of changed rows. */
async function runStep(client: pg.ClientBase, { text, index }: MigrationStep) {
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
  if (migration.steps === null) for (const statement of migration.statements) await tx.client.query(statement)
  for (const { text, isBatch } of migration.steps ?? []) {
    const once = async () =>
      (await tx.client.query(isBatch ? text : text.replace(/ concurrently /i, ' '))).rowCount ?? 0
    if (isBatch) while ((await once()) > 0);
    else await once()
  }
  await note(tx.client, migration, tx.now)
}

/** Adds the migration's name to an error, in words for the operator. */
const named = ({ name }: Migration, work: () => Promise<void>) =>
  work().catch((error) => {
    throw inWords(error, name)
  })

function inWords(error: unknown, name: string): unknown {
  const { message, detail } = error as { message: string; detail?: string }
  if (error instanceof StartRefusal || isDatabaseAway(error) || isForbidden(error)) return error
  if (isDiskFull(error))
    return new StartRefusal(
      `The disk of the database is full, so migration ${name} could not be applied. Nothing was lost. Make room there and try again.`,
    )
  return new StartRefusal(
    `Migration ${name} could not be applied: ${[message, detail].filter(Boolean).join(' ')}. What came before it stays, and the release before goes on working. Please report this.`,
  )
}
