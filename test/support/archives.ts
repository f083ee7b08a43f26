import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after } from 'node:test'
import { openPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { exportAccount } from '../../server/integrations/data-transfer/export-account.ts'
import type { ExportManifest } from '../../server/integrations/data-transfer/manifest.ts'
import { ledgerTables } from '../../server/integrations/data-transfer/tables.ts'
import { system } from '../../server/platform/author.ts'
import type { Database } from '../../server/platform/database/pool.ts'

/** A path for a zip; deleted when the test file ends. */
export async function anArchivePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-archive-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'account.zip')
}

/** Exports the account as a zip, and reads its manifest. */
export async function exportArchive(db: Database, accountId: string) {
  const path = await anArchivePath()
  const manifest = await exportAccount(db, system, accountId, { open: () => createWriteStream(path) })
  return { path, manifest }
}

/** The files of a zip by name, in its order. */
export async function readContents(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece)
    files.set(entry.fileName, Buffer.concat(pieces))
  }
  zip.close()
  return files
}

/** A zip of these files, in their order; a name may appear twice. */
export async function aZip(files: Iterable<[name: string, content: Buffer | string]>): Promise<string> {
  const path = await anArchivePath()
  const zip = new ZipFile()
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

/** Updates every digest and count in the manifest to the present contents, as a forger would. */
export function updateDigests(files: Map<string, string>, change: (manifest: ExportManifest) => void = () => {}) {
  const manifest: ExportManifest = JSON.parse(files.get('manifest.json')!)
  for (const [name, content] of files)
    if (manifest.files[name]) {
      const sha256 = createHash('sha256').update(content).digest('hex')
      const rows = Math.max(0, content.replace(/"[^"]*"/g, '').split('\r\n').length - 2)
      manifest.files[name] = { rows, bytes: Buffer.byteLength(content), sha256 }
    }
  // as earlier releases did, whose digest is that of the files
  delete manifest.digestVersion
  const ledger = ledgerTables.map((name) => `${name} ${manifest.files[`${name}.csv`]!.sha256}\n`)
  manifest.ledgerDigest = createHash('sha256').update(ledger.join('')).digest('hex')
  change(manifest)
  files.set('manifest.json', JSON.stringify(manifest))
  return files
}
