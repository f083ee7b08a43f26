import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, link, mkdir, open, readFile, realpath, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { wrong } from './config.ts'

/**
 * Creates DATA_DIR when it is missing and returns its real path.
 * The administrator's PostgreSQL runs as another user, who must be able to pass through the folder, not to read it.
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
    return wrong('DATA_DIR', holds, `the path of a folder that can be written (${code})`)
  return wrong(
    'DATA_DIR',
    `${holds}, which belongs to user ${owner}`,
    `the path of a folder that user ${own} can write (${code}): chown -R ${own} makes it theirs`,
  )
}

/**
 * The text of a file only its owner may read, made the first time it is asked for.
 * Several processes may ask at once: all get the text of the one that came first, and a crash leaves no half file.
 */
export async function keepOnce(folder: string, name: string, make: () => string): Promise<string> {
  const file = join(folder, name)
  const present = await readFile(file, 'utf8').catch(ignoreMissing)
  if (present !== undefined) return present.trim()
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${make()}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readFile(file, 'utf8')).trim()
}

/** For `catch` after reading a file that may not be there. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Keeps what was made, renamed and removed in a folder, should the power fail. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
