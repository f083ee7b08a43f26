import { createHash } from 'node:crypto'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Author } from '../../platform/author.ts'
import { type Database, openDatabase, type Transaction, transaction } from '../../platform/database/pool.ts'
import { rawSql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { notFound, refusal } from '../../platform/refusal.ts'
import { packZip } from '../../platform/zip.ts'
import { getOwners } from '../../program/auth/owners.ts'
import { EXPORT_FORMAT, EXPORT_MANIFEST, type ExportManifest, exportFileName } from './manifest.ts'
import { firstLines, type ReadTable, readLedgerDigest, readTables, tableLines } from './rows.ts'
import { accountScope } from './tables.ts'

const deflated = promisify(deflateRaw)

/** Facts known before the first byte. */
export type Beginning = {
  /** Number of rows. */
  rows: number
  /** Approximate size of the zip, which is unknown until it is packed. */
  estimatedBytes: number
}

type Options = {
  /** Opens the target of the zip, once it is certain that there will be one. */
  open: (beginning: Beginning) => Writable
  signal?: AbortSignal
}

/** Concurrent exports per process: each occupies a connection and a processor while it runs. */
const AT_ONCE = 4
/** Milliseconds and bytes: a slower reader is ended if another account waits. */
const SLOW_MS = 20_000
const SLOW_BYTES = 2_000_000
/** Longest export in milliseconds: enough for a slow line, without keeping a database snapshot open for longer. */
const MAX_MS = 3_600_000
/** Factor for the pool's time limits: a reader may pause for as long as the connection lasts. */
const PATIENCE = 6

/** `tookAt`: when the reader last took as much as a fast one does, or began. */
type Running = { out: Writable | undefined; tookAt: number; ended: AbortController }
const running = new Set<Running>()

/** Takes a slot for an export. Ends one whose reader is slow. Refuses: `unavailable` if there is none. */
function acquireSlot(now: number): Running {
  if (running.size >= AT_ONCE) {
    const slow = [...running].find(({ out, tookAt }) => out?.writableNeedDrain && now - tookAt > SLOW_MS)
    if (!slow) throw refusal('exports_busy', { retryAfter: 30 })
    running.delete(slow)
    slow.ended.abort(new Error('the reader was slow, and another account waited'))
  }
  const place = { out: undefined, tookAt: now, ended: new AbortController() }
  running.add(place)
  return place
}

/**
 * Writes all data of an account as a zip of CSV files, consistent at one moment, read on a separate connection and no
 * faster than the client reads it. `tables.ts` lists the exported columns. Returns the zip's manifest. Refuses:
 * `rate_limited` while the account is already being exported, `unavailable` while others are. An export with a slow
 * reader is ended for another account.
 */
export async function exportAccount(
  db: Database,
  by: Author,
  accountId: string,
  { open, signal }: Options,
): Promise<ExportManifest> {
  const place = acquireSlot(db.clock.now().getTime())
  const own = openDatabase({ url: db.directUrl, log: db.log, clock: db.clock, max: 1, patience: PATIENCE })
  try {
    return await transaction(own, async (tx) => {
      await tx.run`set transaction isolation level repeatable read, read only`
      const free = await tx.value<boolean>`
        select pg_try_advisory_xact_lock(hashtextextended(${`export ${accountId}`}, 0))`
      if (!free) throw refusal('export_running', { retryAfter: 30 })
      const about = await readAbout(tx, accountId)
      const tables = await readTables(tx)
      const beginning = await measure(tx, accountId, tables)
      await transaction(db, (main) => recordActivity(main, by, accountId, 'account.exported', { id: accountId }))
      const limits = [AbortSignal.timeout(MAX_MS), place.ended.signal, ...(signal ? [signal] : [])]
      place.out = open(beginning)
      return pack(tx, about, { tables, out: place.out, taken: pacing(db, place), signal: AbortSignal.any(limits) })
    })
  } finally {
    running.delete(place)
    await own.close()
  }
}

/** Returns a function to call with the bytes sent; it records when a fast reader's amount was taken. */
function pacing({ clock }: Database, place: Running) {
  let left = SLOW_BYTES
  return (bytes: number) => {
    left -= bytes
    if (left > 0) return
    left = SLOW_BYTES
    place.tookAt = clock.now().getTime()
  }
}

/** Returns the export as a stream; it ends when its reader stops. */
export async function streamExport(
  db: Database,
  by: Author,
  accountId: string,
): Promise<Beginning & { zip: Readable }> {
  // the stream's consumer handles errors itself; after a refusal there is none
  const zip = new PassThrough().on('error', () => {})
  const begun = Promise.withResolvers<Beginning>()
  const open = (beginning: Beginning) => {
    begun.resolve(beginning)
    return zip
  }
  exportAccount(db, by, accountId, { open }).catch((error) => {
    begun.reject(error)
    zip.destroy(error)
  })
  return { ...(await begun.promise), zip }
}

type About = Pick<ExportManifest, 'account' | 'owner'>

async function readAbout(tx: Transaction, id: string): Promise<About> {
  const account = await tx.maybe<{ name: string | null; ownerId: string | null }>`
    select name, owner_id from accounts where id = ${id}`
  if (!account) throw notFound()
  const { name, ownerId } = account
  const owner = (await getOwners(tx, [{ id, ownerId }])).get(id)
  return {
    account: { id, name },
    owner: owner ? { id: owner.id, email: owner.email, firstName: owner.firstName, lastName: owner.lastName } : null,
  }
}

/** Counts the rows, and packs the first of every table to estimate the size. */
async function measure(tx: Transaction, accountId: string, tables: ReadTable[]): Promise<Beginning> {
  const beginning = { rows: 0, estimatedBytes: 0 }
  for (const table of tables) {
    const rows = await tx.value<number>`
      select count(*) as rows from ${rawSql(table.view ?? table.name)} t where ${accountScope(table, accountId)}`
    if (rows === 0) continue
    const sample = await firstLines(tx, accountId, table)
    beginning.rows += rows
    beginning.estimatedBytes += Math.ceil(((await deflated(sample.bytes)).length / sample.rows) * rows)
  }
  return beginning
}

/** Packs one file after the other, each read when the previous one is packed; the manifest is written at the end. */
async function pack(
  tx: Transaction,
  about: About,
  {
    tables,
    out,
    taken,
    signal,
  }: { tables: ReadTable[]; out: Writable; taken: (bytes: number) => void; signal: AbortSignal },
): Promise<ExportManifest> {
  const files: ExportManifest['files'] = {}
  let manifest: ExportManifest | undefined
  // last, so that the reader gets the first bytes at once
  async function* lastFile() {
    const ledgerDigest = await readLedgerDigest(tx, about.account.id)
    manifest = {
      kind: 'tributary-account',
      format: EXPORT_FORMAT,
      version: packageJson.version,
      exportedAt: tx.now.toISOString(),
      ...about,
      ledgerDigest,
      digestVersion: 2,
      files,
    }
    yield Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  }
  async function* read(table: ReadTable) {
    const hash = createHash('sha256')
    const file = { rows: 0, bytes: 0 }
    for await (const { rows, bytes } of tableLines(tx, about.account.id, table)) {
      file.rows += rows
      file.bytes += bytes.length
      hash.update(bytes)
      yield bytes
    }
    files[exportFileName(table)] = { ...file, sha256: hash.digest('hex') }
  }
  async function* counted(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      yield piece
      taken(piece.length)
    }
  }
  const last = { name: EXPORT_MANIFEST, pieces: lastFile }
  await packZip(
    [...tables.map((table) => ({ name: exportFileName(table), pieces: () => read(table) })), last],
    (packed) => pipeline(packed, counted, out, { signal }),
    { mtime: tx.now },
  )
  return manifest!
}
