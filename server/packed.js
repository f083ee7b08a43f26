import { spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** @typedef {{ entry: string, sources: [path: string, mtimeMs: number, size: number][] }} Contents */

const root = fileURLToPath(new URL('../', import.meta.url))

/** Where the server lies packed: what it is made of in a few files, instead of a thousand that are looked for one by one. */
export const packedFolder = join(root, '.cache', 'packed')

/** What the newest pack was made of. */
export const CONTENTS = 'contents.json'

/** Whoever works on the server wants the files watched that it is made of. */
const isWatched = () => 'WATCH_REPORT_DEPENDENCIES' in process.env

/**
 * The address of the packed server; null where there is none, or where anything it was made of has changed since.
 * @returns {URL | null}
 */
export function findPacked(folder = packedFolder, sourceRoot = root) {
  if (isWatched()) return null
  try {
    /** @type {Contents} */
    const { entry, sources } = JSON.parse(readFileSync(join(folder, CONTENTS), 'utf8'))
    const isCurrent = sources.every(([path, mtimeMs, size]) => {
      const now = statSync(join(sourceRoot, path), { throwIfNoEntry: false })
      return now?.mtimeMs === mtimeMs && now.size === size
    })
    return isCurrent ? pathToFileURL(join(folder, entry)) : null
  } catch {
    return null
  }
}

/** Packs the server for the next start, beside the one that runs; where that fails the next one takes as long as this. */
export function packBeside() {
  if (isWatched()) return
  const child = spawn(process.execPath, [fileURLToPath(new URL('./pack.ts', import.meta.url))], { stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // it has ended already
  }
}
