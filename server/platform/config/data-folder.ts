import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, link, mkdir, open, readFile, realpath, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { configError } from './config.ts'

/**
 * Creates DATA_DIR if missing and returns its real path.
 * An administrator's PostgreSQL runs as another user, who must be able to traverse the folder, but not read it.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(dataDir)
  } catch (error) {
    throw await refusalOf(dataDir, error as NodeJS.ErrnoException)
  }
}

async function refusalOf(dataDir: string, { code }: NodeJS.ErrnoException) {
  const holds = JSON.stringify(dataDir)
  const owner = code === 'EACCES' && (await stat(dataDir).catch(() => null))?.uid
  const own = process.getuid?.()
  if (typeof owner !== 'number' || owner === own)
    return configError('DATA_DIR', holds, `the path of a folder that can be written (${code})`)
  return configError(
    'DATA_DIR',
    `${holds}, which belongs to user ${owner}`,
    `the path of a folder that user ${own} can write (${code}): chown -R ${own} makes it theirs`,
  )
}

/**
 * Returns the text of a file readable only by its owner, created on first use.
 * Concurrent processes all get the text of the first, and a crash leaves no partial file.
 */
export async function readOrCreate(folder: string, name: string, make: () => string): Promise<string> {
  const file = join(folder, name)
  const present = await readFile(file, 'utf8').catch(ignoreMissing)
  if (present !== undefined) return present.trim()
  const draft = await writeDraft(file, make())
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(file, 'utf8')).trim()
}

/** Writes the next contents of a file, readable only by its owner, to the disk beside it; returns the path. */
export async function writeDraft(file: string, text: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}

/** Ignores a missing file, for `catch` after reading. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Makes created, renamed and deleted files of a folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
