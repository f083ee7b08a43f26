import { fillTables } from '../../../server/platform/backups/fill.ts'
import { openBackup } from '../../../server/platform/backups/open-archive.ts'
import { checkRelease } from '../../../server/platform/backups/restore.ts'
import { migrateSchema } from '../../../server/platform/database/migrate.ts'
import { openDatabase, transaction } from '../../../server/platform/database/pool.ts'
import { prepareQueues } from '../../../server/platform/jobs/queue.ts'
import { queues } from '../../../server/queues.ts'
import { databaseAt } from '../backups.ts'

/** The key of the releases' backups, and the owners of their accounts. */
export const RELEASE_KEY = Buffer.alloc(32, 'release').toString('base64')
export const OWNERS = ['owner@northwind.example', 'owner@pinegate.example'] as const

export const releaseArchive = (version: string) => new URL(`./${version}.zip`, import.meta.url)

/** Fills an empty database with the data of a release, at that release's schema. */
export async function restoreRelease(url: string, file: string): Promise<void> {
  const archive = await openBackup(file)
  const db = openDatabase({ ...databaseAt(url), max: 2, pipeline: false })
  try {
    await prepareQueues(db, queues)
    await transaction(db, async (tx) => {
      await migrateSchema(tx, { upTo: await checkRelease(archive.manifest) })
      await fillTables(tx, archive, () => {})
      const applied = archive.manifest.migrations
      await tx.run`delete from migrations`
      await tx.run`
        insert into migrations (name, hash, applied_at)
        select name, hash, ${tx.now} from jsonb_to_recordset(${JSON.stringify(applied)}::jsonb) as m (name text, hash text)`
    })
  } finally {
    archive.close()
    await db.close()
  }
}
