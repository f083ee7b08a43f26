import { spawn } from 'node:child_process'
import { createHash, hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * The source files of a pack with their sizes and times, and the digest of their contents.
 * @typedef {[path: string, size: number, mtimeMs: number, ctimeMs: number]} Seen
 * @typedef {{ name: string, digest: string, files: Seen[] }} Contents
 */

const ownRoot = fileURLToPath(new URL('../', import.meta.url))

/** Returns the folder of the packed server: a few files instead of a thousand that are resolved one by one. */
export const folderOf = (root = ownRoot) => join(root, '.cache', 'packed')

/** The file that describes the newest pack. */
export const CONTENTS = 'contents.json'

/** During development the source files are watched, so they are run instead. */
const isWatched = () => 'WATCH_REPORT_DEPENDENCIES' in process.env

/**
 * Returns the folder of the packed server; null if there is none or a source file has changed since. Files with
 * unchanged size and times are not read again. A copy, such as an image, has other times: it is compared by content
 * once, then by its own times.
 * @returns {string | null}
 */
export function findPacked(root = ownRoot) {
  if (isWatched()) return null
  const folder = folderOf(root)
  try {
    /** @type {Contents} */
    const { name, digest, files } = JSON.parse(readFileSync(join(folder, CONTENTS), 'utf8'))
    const seen = files.map(([path]) => look(root, path))
    const isUntouched = files.every((before, at) => before.every((value, part) => seen[at]?.[part] === value))
    if (!isUntouched) {
      if (files.some(([, size], at) => seen[at]?.[1] !== size) || digestOf(root, files) !== digest) return null
      keepContents(root, { name, digest, files: seen })
    }
    return join(folder, name)
  } catch {
    return null
  }
}

/** Resolution of the coarsest file system's times, FAT's. */
const TICK_MS = 2000

/**
 * Returns a file's current size and times. A file changed a moment ago could change again with the same times: they
 * are NaN, which equals nothing, so that it is read the next time.
 * @returns {Seen}
 */
export function look(root, path) {
  const { size, mtimeMs, ctimeMs } = statSync(`${root}/${path}`)
  const isSettled = Math.max(mtimeMs, ctimeMs) < Date.now() - TICK_MS
  return isSettled ? [path, size, mtimeMs, ctimeMs] : [path, size, NaN, NaN]
}

/** @param {Seen[]} files */
const digestOf = (root, files) =>
  digestOfHashes(files.map(([path]) => [path, hash('sha256', readFileSync(join(root, path)))]))

/** @param {(readonly [path: string, hash: string])[]} hashes */
export const digestOfHashes = (hashes) => {
  const all = createHash('sha256')
  for (const line of hashes.map((each) => each.join(' ')).sort()) all.update(`${line}\n`)
  return all.digest('hex')
}

/** @param {Contents} contents */
function keepContents(root, contents) {
  try {
    writeContents(root, contents)
  } catch {
    // read-only: the files are read each time
  }
}

/**
 * Replaces the previous pack atomically.
 * @param {Contents} contents
 */
export function writeContents(root, contents) {
  const folder = folderOf(root)
  const draft = join(folder, contents.name, `${process.pid}.json`)
  writeFileSync(draft, JSON.stringify(contents), { flush: true })
  renameSync(draft, join(folder, CONTENTS))
}

/** Packs the server for the next start in a process of its own; if that fails, the next start is no faster. */
export function packBeside() {
  const packer = fileURLToPath(new URL('./pack.ts', import.meta.url))
  // a release is installed without it
  if (isWatched() || !existsSync(packer)) return
  const { PATH, SystemRoot, TEMP } = process.env
  const child = spawn(process.execPath, [packer], {
    env: { PATH, SystemRoot, TEMP },
    stdio: 'ignore',
  })
  child.on('error', () => {})
  child.unref()
  const end = () => child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  try {
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // already ended
  }
}

export const addressOfPacked = (folder) => pathToFileURL(join(folder, 'main.js')).href
