import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Transaction } from '../database/pool.ts'
import { BackupRefusal } from './backup-refusal.ts'
import { dropConstraints } from './drop-constraints.ts'
import { createRowCounter } from './manifest.ts'
import type { BackupArchive } from './open-archive.ts'
import { columnsOfJobs, copyIn, copyOut, jobs, ownTables, RESTORED_JOBS, type Table, textSettings } from './tables.ts'

/**
 * Writes every row of a backup into tables with the same schema, and reads all of them back: their digests must be
 * equal. Indexes are built and references checked after filling; triggers are disabled meanwhile, since the rows are
 * history.
 */
export async function fillTables(
  tx: Transaction,
  archive: BackupArchive,
  onTable: (name: string, rows: number) => void,
) {
  await tx.client.query(textSettings)
  const own = await ownTables(tx)
  checkShape(own, archive)
  await tx.client.query(`
    create temp table ${RESTORED_JOBS} on commit drop as select ${columnsOfJobs} from pgboss.job with no data`)
  const { index, tighten } = await dropConstraints(tx, own)
  const restoredJobs = {
    ...jobs,
    select: `select ${columnsOfJobs} from ${RESTORED_JOBS} order by id, name collate "C"`,
  }
  for (const table of [...own, restoredJobs]) {
    onTable(table.name, archive.manifest.tables[table.name]!.rows)
    await pipeline(Readable.from(archive.read(table.name)), copyIn(tx, table))
  }
  await index()
  for (const [name, last] of Object.entries(archive.manifest.sequences))
    await tx.run`select setval(quote_ident(${name})::regclass, ${last}::bigint)`
  for (const table of [...own, restoredJobs]) await compare(tx, table, archive)
  await tighten()
  await queueJobs(tx)
}

function checkShape(own: Table[], { manifest }: BackupArchive) {
  const columnsByTable = new Map(Object.entries(manifest.tables).map(([name, { columns }]) => [name, columns.join()]))
  const strange = [...own, jobs].find(({ name, columns }) => columnsByTable.get(name) !== columns.join())
  if (strange || columnsByTable.size !== own.length + 1)
    throw new BackupRefusal(
      `The backup doesn’t fit the schema it names${strange ? `: ${strange.name} has other columns` : ''}. Restore it with release ${manifest.version}, which wrote it.`,
    )
}

async function compare(tx: Transaction, table: Table, { manifest }: BackupArchive) {
  const count = createRowCounter()
  for await (const piece of copyOut(tx, table)) count.add(piece)
  const { rows, sha256 } = count.done()
  const expected = manifest.tables[table.name]!
  if (rows !== expected.rows || sha256 !== expected.sha256)
    throw new BackupRefusal(
      `${table.name} isn’t what was backed up once it is restored: ${rows} of ${expected.rows} rows. Nothing was restored; please report this.`,
    )
}

/** Queues jobs, with expiry extended by the age of the backup. */
async function queueJobs(tx: Transaction) {
  await tx.client.query(`
    update ${RESTORED_JOBS} set keep_until = now() + interval '14 days' where keep_until < now() + interval '7 days';
    insert into pgboss.job (${columnsOfJobs})
    select ${columnsOfJobs} from ${RESTORED_JOBS} r where exists (select from pgboss.queue q where q.name = r.name)
    on conflict do nothing`)
}
