import { stat } from 'node:fs/promises'
import { type OpenZip, openZip } from '../zip.ts'
import { BackupRefusal, failureInWords } from './backup-refusal.ts'
import { BACKUP_FORMAT, BACKUP_MANIFEST, BackupManifest, combineDigests, createRowCounter } from './manifest.ts'
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
  const zip = await openZip(file).catch(() => {
    throw is === 'none' ? notOne(file) : damaged(file)
  })
  try {
    const manifest = await readManifest(file, zip)
    if (is === 'none') throw damaged(file)
    for (const name of Object.keys(manifest.tables)) if (!zip.entries.has(name)) throw damaged(file)
    return {
      manifest,
      read: (table) => readChecked(zip, table, manifest.tables[table]!, file),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** Returns a file's manifest without reading the tables; null if it is no backup that this release can read. */
export async function findManifest(file: string): Promise<BackupManifest | null> {
  const zip = await openZip(file).catch((error) => {
    if (error.code) throw error
    return null
  })
  try {
    return zip && (await readManifest(file, zip))
  } catch {
    return null
  } finally {
    zip?.close()
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

async function readManifest(file: string, zip: OpenZip): Promise<BackupManifest> {
  const content = (await zip.readJson(BACKUP_MANIFEST, LONGEST_MANIFEST)) as Record<string, unknown> | null
  if (content?.kind !== 'tributary-backup') throw notOne(file)
  if (content.format !== BACKUP_FORMAT)
    throw new BackupRefusal(
      `${file} was written by Tributary ${content.version} in a form that this release doesn’t read. Restore it with that release or a newer one.`,
    )
  const manifest = BackupManifest.safeParse(content)
  if (!manifest.success || manifest.data.digest !== combineDigests(manifest.data.tables)) throw damaged(file)
  return manifest.data
}

async function* readChecked(zip: OpenZip, table: string, expected: BackupManifest['tables'][string], file: string) {
  const count = createRowCounter()
  for await (const piece of zip.read(table)) {
    count.add(piece)
    yield piece
  }
  const { rows, bytes, sha256 } = count.done()
  if (rows !== expected.rows || bytes !== expected.bytes || sha256 !== expected.sha256) throw damaged(file)
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
  new BackupRefusal(`${file} isn’t a backup that Tributary wrote, or only the beginning of one. Take another backup.`)

const damaged = (file: string) =>
  new BackupRefusal(
    `${file} is damaged: it isn’t what was written. Copy it once more from where it was kept, or take another backup.`,
  )
