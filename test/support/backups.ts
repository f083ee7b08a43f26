import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { pino } from 'pino'
import { openBackup } from '../../server/platform/backups/open-archive.ts'
import { restoreBackup } from '../../server/platform/backups/restore.ts'
import { type Database, openDatabase, systemClock } from '../../server/platform/database/pool.ts'
import { prepareQueues } from '../../server/platform/jobs/queue.ts'
import { queues } from '../../server/queues.ts'
import { emptyDatabase } from './postgres.ts'

const log = pino({ level: 'silent' })

/** A folder for backups; deleted when the test file ends. */
export async function aBackupFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const databaseAt = (url: string) => ({
  url,
  directUrl: url,
  ...{ log, clock: systemClock },
})

/** Opens the database as its owner until the test file ends. */
export function openFor(url: string): Database {
  const db = openDatabase({ ...databaseAt(url), max: 2, patience: 6 })
  after(() => db.close())
  return db
}

/** Restores a backup as the command does, without the steps of the floors above. */
export async function restoreFile(
  file: string,
  into?: string,
  before: Parameters<typeof restoreBackup>[2]['before'] = async () => {},
): Promise<Database> {
  const url = into ?? (await emptyDatabase())
  const archive = await openBackup(file)
  try {
    await restoreBackup(databaseAt(url), archive, { prepareQueues: (owner) => prepareQueues(owner, queues), before })
  } finally {
    archive.close()
  }
  return openFor(url)
}
