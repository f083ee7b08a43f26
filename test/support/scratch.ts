import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder of Linux for files in memory. */
const MEMORY = '/dev/shm'
/** More than the tests' databases ever use at once. */
const ROOM_BYTES = 4 * 1024 ** 3

/**
 * A temporary folder, in memory if there is room: a file system on disk takes many times as long to make and drop a
 * database of a thousand small files.
 */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(await placeForScratch(), 'tributary-test-'))
  // PostgreSQL runs as another user if the tests run as root
  await chmod(folder, 0o755)
  return folder
}

/** Removes a folder to which an ending process may still write, along with anything it writes meanwhile. */
export const removeFolder = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

/** The folder for scratch folders: TMPDIR, as `npm test` sets it to one that it removes, or memory if there is room. */
export async function placeForScratch() {
  if (process.env.TMPDIR || process.platform !== 'linux') return tmpdir()
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir()
}
