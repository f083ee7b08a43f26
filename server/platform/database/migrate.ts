import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { type Database, transaction } from './pool.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Any number; two processes that start together take turns on it. */
const LOCK = 7_281_954

/**
 * Brings the schema up to the newest file of migrations/, forward only, one process at a time.
 * Refuses to run over a database that a newer release has migrated, or whose applied files were edited since.
 */
export async function migrate(db: Database): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const newest = names.at(-1)
  const present = await db.maybe<{ found: boolean }>`select to_regclass('migrations') is not null as found`
  if (present?.found) {
    const last = await db.maybe<{ name: string; count: number }>`
      select max(name) as name, count(*) as count from migrations`
    if (last?.name === newest && last?.count === names.length) return
  }
  await transaction(db, async (tx) => {
    await tx.run`set local lock_timeout = '60s'`
    await tx.run`set local statement_timeout = '10min'`
    await tx.run`select pg_advisory_xact_lock(${LOCK})`
    await tx.run`create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz(3) not null)`
    const applied = new Map(
      (await tx.many<{ name: string; hash: string }>`select name, hash from migrations`).map((row) => [
        row.name,
        row.hash,
      ]),
    )
    for (const name of applied.keys())
      if (!names.includes(name))
        throw new Error(
          `The database holds migration ${name}, which this release doesn't know. Start the release that applied it, or a newer one.`,
        )
    for (const name of names) {
      const text = await readFile(new URL(name, folder), 'utf8')
      const hash = createHash('sha256').update(text).digest('hex')
      const known = applied.get(name)
      if (known && known !== hash) throw new Error(`Migration ${name} was changed after it was applied.`)
      if (known) continue
      await tx.client.query(text)
      await tx.run`insert into migrations (name, hash, applied_at) values (${name}, ${hash}, ${tx.now})`
    }
  })
}
