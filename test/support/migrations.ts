import { migrationNames, readMigration } from '../../server/platform/database/migration-files.ts'
import type { Database } from '../../server/platform/database/pool.ts'

const run = async (db: Database, wanted: (name: string) => boolean) => {
  for (const name of (await migrationNames()).filter(wanted)) {
    const { text, steps } = await readMigration(name)
    for (const part of steps?.map((step) => step.text) ?? [text]) await db.pool.query(part)
  }
}

/** Makes `db`, as its owner, a database as the release before this migration left it: empty. */
export async function asBefore(db: Database, migration: string): Promise<void> {
  await db.pool.query('drop schema public cascade; create schema public')
  await run(db, (name) => name < migration)
}

/** This migration and all that follow. */
export const migrateFrom = (db: Database, migration: string) => run(db, (name) => name >= migration)
