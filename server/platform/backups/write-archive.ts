import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '../config/data-folder.ts'
import { packZip } from '../zip.ts'
import { BackupRefusal, failureInWords } from './backup-refusal.ts'
import { BACKUP_MANIFEST, type BackupManifest, createRowCounter } from './manifest.ts'
import { createDigestStream, PLACE_OF_DIGEST, UNFINISHED } from './whole-file.ts'

export type ArchivePart = { name: string; columns: string[]; read(): Readable }
type Tables = BackupManifest['tables']

const LOST = 'Nothing was written, and earlier backups are as they were.'

/**
 * Writes the parts one after the other, no faster than the disk, and then the manifest. The file gets its name only
 * when it is complete and would survive a power failure. Refuses an existing file.
 */
export async function writeArchive(file: string, parts: ArchivePart[], manifestOf: (tables: Tables) => BackupManifest) {
  const unfinished = file + UNFINISHED
  const isThere = (path: string) => stat(path).then(Boolean, () => false)
  if (await isThere(file)) throw new BackupRefusal(`${file} already exists. Choose another name.`)
  if (await isThere(unfinished))
    throw new BackupRefusal(
      `${unfinished} is there: another backup is being written to it, or one was cut short. Delete it if none is.`,
    )
  let isOurs = false
  try {
    const manifest = await pack(parts, manifestOf, (packed) => {
      const out = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
      out.once('open', () => {
        isOurs = true
      })
      return pipeline(packed, createDigestStream(), out)
    })
    await rename(unfinished, file)
    await syncFolder(dirname(file))
    return manifest
  } catch (error) {
    if (isOurs) await rm(unfinished, { force: true })
    throw failureInWords(error, { file, lost: LOST })
  }
}

async function pack(
  parts: ArchivePart[],
  manifestOf: (tables: Tables) => BackupManifest,
  write: (packed: Readable) => Promise<void>,
): Promise<BackupManifest> {
  const tables: Tables = {}
  let manifest: BackupManifest | undefined
  async function* counted({ name, columns, read }: ArchivePart) {
    const count = createRowCounter()
    for await (const piece of read()) {
      count.add(piece)
      yield piece
    }
    tables[name] = { columns, ...count.done() }
  }
  const files = parts.map((part) => ({ name: part.name, pieces: () => counted(part) }))
  const last = {
    name: BACKUP_MANIFEST,
    pieces() {
      manifest = manifestOf(tables)
      return [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]
    },
  }
  await packZip([...files, last], write, { compressionLevel: 1, forceZip64Format: true, comment: PLACE_OF_DIGEST })
  return manifest!
}
