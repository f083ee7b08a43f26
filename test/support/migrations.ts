import { readdir, readFile } from 'node:fs/promises'
import type { Database } from '../../server/platform/database/pool.ts'

const folder = new URL('../../server/platform/database/migrations/', import.meta.url)

const run = async (db: Database, wanted: (name: string) => boolean) => {
  for (const name of (await readdir(folder)).filter(wanted).sort())
    await db.pool.query(await readFile(new URL(name, folder), 'utf8'))
}

/** Makes `db`, as its owner, a database as the release before this migration left it: empty. */
export async function asBefore(db: Database, migration: string): Promise<void> {
  await db.pool.query('drop schema public cascade; create schema public')
  await run(db, (name) => name < migration)
}

/** This migration and all that follow. */
export const migrateFrom = (db: Database, migration: string) => run(db, (name) => name >= migration)
