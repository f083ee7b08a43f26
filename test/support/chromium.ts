import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import sparticuz, { inflate } from '@sparticuz/chromium'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
const packed = new URL('../', import.meta.resolve('@sparticuz/chromium'))
const { version } = JSON.parse(readFileSync(new URL('package.json', packed), 'utf8'))
const folder = join(cache, `chromium-${version}`)
const executablePath = join(folder, 'chromium')
/** NSS, NSPR and expat, for machines without them; used only if the browser does not start otherwise. */
const libraries = join(folder, 'al2023', 'lib')

/**
 * Unpacks the browser once per version, into a temporary folder that is then renamed: an interrupted run leaves no
 * half.
 */
export default async function unpackChromium() {
  if (await present(executablePath)) return
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'chromium-draft-'))
  const before = process.env.TMPDIR
  process.env.TMPDIR = draft
  try {
    await sparticuz.executablePath()
    if (!(await starts(join(draft, 'chromium')))) await inflate(fileURLToPath(new URL('bin/al2023.tar.br', packed)))
    await rename(draft, folder)
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    await rm(draft, { recursive: true, force: true })
  }
}

const present = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

const starts = (path: string) =>
  promisify(execFile)(path, ['--version']).then(
    () => true,
    () => false,
  )

/** Launches our own Chromium, once it is unpacked. */
export async function launchChromium({ args = [] }: { args?: string[] } = {}): Promise<Browser> {
  const env = (await present(libraries)) ? { ...process.env, LD_LIBRARY_PATH: libraries } : process.env
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...args],
    env: env as Record<string, string>,
  })
}

if (import.meta.main) await unpackChromium()
