import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openPromise } from 'yauzl'
import { exportAccount } from '../../server/integrations/data-transfer/export-account.ts'
import { system } from '../../server/platform/by.ts'
import type { Database } from '../../server/platform/database/pool.ts'

/** Where a zip can be written to; gone when the test file ends. */
export async function anArchivePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-archive-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'account.zip')
}

/** The account as a zip, and what it says of itself. */
export async function exported(db: Database, accountId: string) {
  const path = await anArchivePath()
  const manifest = await exportAccount(db, system, accountId, { open: () => createWriteStream(path) })
  return { path, manifest }
}

/** The files of a zip by name, in its order. */
export async function contentsOf(path: string): Promise<Map<string, Buffer>> {
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
