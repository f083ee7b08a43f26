import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { access, mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartRefusal } from '../config/start-refusal.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of the built web application. */
export const webFolder = join(root, 'dist', 'web')

const SOURCES = [
  'web',
  'contract',
  'features',
  'embed',
  'docs',
  'CHANGELOG.md',
  'index.html',
  'vite.config.ts',
  'package-lock.json',
]
const PAGE = 'index.html'

/**
 * Builds the web application if missing or older than its sources; returns whether it did. Built next to the old one
 * and moved when complete, so that an interrupted start leaves no partial build.
 */
export async function buildWebApp(stopping?: AbortSignal): Promise<boolean> {
  const newest = newestSource()
  const built = await stat(join(webFolder, PAGE)).catch(() => null)
  if (built && built.mtimeMs >= newest) return false
  if (!(await hasSources())) return false

  const startedAt = new Date()
  const draft = join(root, '.cache', `web-${process.pid}`)
  await makeRoom(draft)
  try {
    await runVite(draft, stopping)
    // Makes sources that change during the build newer than its output.
    await utimes(join(draft, PAGE), startedAt, startedAt)
    await replace(webFolder, draft)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return true
}

/** Whether there are sources; a release may be built without them. */
async function hasSources() {
  return Promise.all([access(join(root, PAGE)), access(join(root, 'web', 'main.ts'))]).then(
    () => true,
    () => false,
  )
}

/**
 * Returns the time of the last change of a source, in ms. Folders count too: their times show deletions and moves.
 * Synchronous, since asynchronous calls for a thousand files would take ten times as long.
 */
function newestSource() {
  let newest = 0
  const look = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (!found) return
    newest = Math.max(newest, found.mtimeMs)
    if (found.isDirectory()) for (const name of readdirSync(path)) look(`${path}/${name}`)
  }
  for (const name of SOURCES) look(join(root, name))
  return newest
}

/** Creates the draft folder. Refuses without the right to write, such as for a service's user. */
async function makeRoom(draft: string) {
  try {
    await rm(draft, { recursive: true, force: true })
    await mkdir(draft, { recursive: true })
  } catch (error) {
    throw new StartRefusal(
      `The web application is not built, or is older than its sources, and cannot be built here (${(error as Error).message}): run npm run build as a user who may write to ${root}`,
    )
  }
}

async function runVite(outDir: string, stopping?: AbortSignal) {
  stopping?.throwIfAborted()
  const vite = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  stopping?.addEventListener('abort', end, { once: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece
    })
  const [code, signal] = await once(child, 'close')
  process.off('exit', end)
  if (code !== 0)
    throw new StartRefusal(`The web application could not be built (${signal ?? code}): ${output.trim().slice(-800)}`)
}

async function replace(folder: string, draft: string) {
  const old = `${draft}-old`
  await mkdir(dirname(folder), { recursive: true })
  await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
    // Another process started at the same time has just moved its own there.
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error
  })
  await rm(old, { recursive: true, force: true })
}

if (import.meta.main) await buildWebApp()
