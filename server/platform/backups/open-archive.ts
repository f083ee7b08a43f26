import { stat } from 'node:fs/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { BackupRefusal, failureInWords } from './backup-refusal.ts'
import { BACKUP_FORMAT, BACKUP_MANIFEST, BackupManifest, counting, digestOf } from './manifest.ts'
import { checkDigest } from './whole-file.ts'

export type BackupArchive = {
  manifest: BackupManifest
  /** Yields a table's text in pieces; refuses at its end if it differs from the manifest. */
  read(table: string): AsyncGenerator<Buffer>
  close(): void
}

const LONGEST_MANIFEST = 4_000_000

/**
 * Opens a backup after verifying all of its bytes. Refuses, in words for the operator, other files, incomplete or
 * changed backups, and formats of a newer release.
 */
export async function openBackup(file: string): Promise<BackupArchive> {
  const is = await readable(file)
  if (is === 'other') throw damaged(file)
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true }).catch(() => {
    throw is === 'none' ? notOne(file) : damaged(file)
  })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const manifest = await readManifest(file, zip, entries.get(BACKUP_MANIFEST))
    if (is === 'none') throw damaged(file)
    for (const name of Object.keys(manifest.tables)) if (!entries.has(name)) throw damaged(file)
    return {
      manifest,
      read: (table) => readChecked(zip, entries.get(table)!, manifest.tables[table]!, file),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Returns a file's manifest, reading only its end; null if it is no backup that this release can read. */
export async function manifestOf(file: string): Promise<BackupManifest | null> {
  const zip = await openPromise(file, { autoClose: false, lazyEntries: true }).catch((error) => {
    if (error.code) throw error
    return null
  })
  if (!zip) return null
  try {
    for await (const entry of zip.eachEntry())
      if (entry.fileName === BACKUP_MANIFEST) return await readManifest(file, zip, entry)
    return null
  } catch {
    return null
  } finally {
    zip.close()
  }
}

async function readable(file: string) {
  try {
    if (!(await stat(file)).isFile()) throw new BackupRefusal(`${file} is a folder, not a backup.`)
    return await checkDigest(file)
  } catch (error) {
    throw error instanceof BackupRefusal ? error : failureInWords(error, { file, lost: 'Nothing was restored.' })
  }
}

async function readManifest(file: string, zip: ZipFile, entry: Entry | undefined): Promise<BackupManifest> {
  if (!entry || entry.uncompressedSize > LONGEST_MANIFEST) throw notOne(file)
  const pieces: Buffer[] = []
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece)
  const said = parse(Buffer.concat(pieces).toString('utf8')) as { kind?: unknown; format?: unknown; version?: unknown }
  if (said?.kind !== 'tributary-backup') throw notOne(file)
  if (said.format !== BACKUP_FORMAT)
    throw new BackupRefusal(
      `${file} was written by Tributary ${said.version} in a form that this release doesn't read. Restore it with that release or a newer one.`,
    )
  const manifest = BackupManifest.safeParse(said)
  if (!manifest.success || manifest.data.digest !== digestOf(manifest.data.tables)) throw damaged(file)
  return manifest.data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function* readChecked(zip: ZipFile, entry: Entry, said: BackupManifest['tables'][string], file: string) {
  const count = counting()
  for await (const piece of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    count.add(piece)
    yield piece
  }
  const { rows, bytes, sha256 } = count.done()
  if (rows !== said.rows || bytes !== said.bytes || sha256 !== said.sha256) throw damaged(file)
}

/** Verifies a whole backup, without a database or the key. */
export async function checkArchive(file: string): Promise<BackupManifest> {
  const archive = await openBackup(file)
  try {
    for (const name of Object.keys(archive.manifest.tables)) for await (const _ of archive.read(name));
    return archive.manifest
  } finally {
    archive.close()
  }
}

const notOne = (file: string) =>
  new BackupRefusal(`${file} isn't a backup that Tributary wrote, or only the beginning of one. Take another backup.`)

const damaged = (file: string) =>
  new BackupRefusal(
    `${file} is damaged: it isn't what was written. Copy it once more from where it was kept, or take another backup.`,
  )
