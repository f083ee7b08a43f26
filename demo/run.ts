import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buildWebApp } from '../server/platform/http/web-build.ts'
import { turnedClock } from './clock.ts'
import { providerSettings, startStandIns } from './providers.ts'
import type { Progress } from './waiting-page.ts'

// npm run demo: the product on its own folder (DATA_DIR, ./demo-data by default), filled once with one believable
// account. A later start continues with the stored data.

const printLine = (line = '') => process.stdout.write(`${line}\n`)

/** The folder's state: `filling` if a filling was cut short. */
const MARK = 'demo.json'

process.env.DATA_DIR = resolve(process.env.DATA_DIR?.trim() || './demo-data')
// the demo has its own database and providers, sends no mail, and needs no backups
for (const name of [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_POOLING',
  'DATABASE_REPLICA_URL',
  'BACKUP_DIR',
  'BACKUP_EVERY',
  'BACKUP_KEEP',
  'PROCESS_ROLE',
  'SMTP_URL',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'WISE_API_VERSION',
])
  delete process.env[name]
process.env.LOG_LEVEL ??= 'warn'

const folder = process.env.DATA_DIR
const mark = await readMark()
const clock = turnedClock()
let progress: Progress = { text: 'Starting the database', filled: 0 }
if (mark !== 'filled') await prepareFolder()
const waiting = mark === 'filled' ? null : await showProgress()
// on another core, while the folder is filled; the start builds what failed here, and says why
const build = buildWebApp().catch(() => false)
const standIns = await startStandIns({ clock, file: join(folder, 'stand-ins.json') })
Object.assign(process.env, providerSettings(standIns))
if (mark !== 'filled') await fillFolder()
clock.release()
standIns.wise.letThemMove()

progress = { text: 'Starting the server', filled: 1 }
printLine('Starting the server.')
await build
await waiting?.close()
const printReleaseHint = () =>
  process.stderr.write(
    `If the demo in ${folder} is of an earlier release, delete that folder: the next start fills a new one.\n`,
  )
process.once('exit', printReleaseHint)
await import('../server/start.js')
process.off('exit', printReleaseHint)
const { PASSPHRASE, signIns } = await import('./sign-ups.ts')
printLine()
for (const { role, email } of signIns) printLine(`  ${email.padEnd(24)} ${role}`)
printLine()
printLine(`The passphrase of all of them: ${PASSPHRASE}`)
const portal = await portalOfJane().catch(() => null)
if (portal) printLine(`The portal of Jane Whitfield, for an hour: ${portal}`)

function refuse({ message }: Error): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

async function readMark(): Promise<'filled' | 'filling' | null> {
  try {
    return JSON.parse(await readFile(join(folder, MARK), 'utf8')).state
  } catch {
    return null
  }
}

/** Prepares an empty or half-filled folder. Leaves any other data alone. */
async function prepareFolder() {
  await mkdir(folder, { recursive: true })
  const present = await readdir(folder)
  if (mark === null && present.length > 0) {
    refuse(
      new Error(
        `DATA_DIR holds ${JSON.stringify(folder)}, where something else than a demo is; it should hold an empty folder.`,
      ),
    )
  }
  if (mark === 'filling') {
    const { endFilling } = await import('./fill-data-folder.ts')
    await endFilling(folder).catch(refuse)
  }
  for (const name of present) await rm(join(folder, name), { recursive: true, force: true })
  await writeFile(join(folder, MARK), JSON.stringify({ state: 'filling' }))
}

async function fillFolder() {
  const { fillDataFolder } = await import('./fill-data-folder.ts')
  const startedAt = performance.now()
  const now = new Date()
  const app = await fillDataFolder({ clock, standIns, now, onDay: createMonthPrinter(now) })
  await writeFile(join(folder, MARK), JSON.stringify({ state: 'filled', ...app }))
  printLine(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}

/** Shows the progress in the browser from the first second, on the address where the product will be. */
async function showProgress() {
  const { showWaitingPage } = await import('./waiting-page.ts')
  const page = await showWaitingPage(() => progress).catch(refuse)
  printLine('Filling the demo with a year of Harbor Analytics. This happens once, and takes a minute or a few.')
  printLine(`Open ${page.url}`)
  return page
}

/** Opens a partner's portal as the account's own application does; not in a folder that an earlier release filled. */
async function portalOfJane(): Promise<string> {
  const { readConfig } = await import('../server/platform/config/config.ts')
  const { createOutbound } = await import('../server/platform/http/outbound.ts')
  const outbound = createOutbound({ allowPrivate: false })
  const base = `${readConfig(process.env).appUrl}/api/v1`
  const { accountId, key } = JSON.parse(await readFile(join(folder, MARK), 'utf8'))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const callApi = async (path: string, more = {}) =>
    JSON.parse((await outbound.provider(`${base}${path}`, { headers, ...more })).text)
  const { items } = await callApi(`/accounts/${accountId}/partners?search=jane%40whitfield.example`)
  const body = JSON.stringify({ kind: 'frame' })
  const { url } = await callApi(`/partners/${items[0].id}/portal-sessions`, { method: 'POST', body })
  await outbound.close()
  return url
}

/** Prints a line at the beginning of each month, with how many are left after it, and shows it in the browser. */
function createMonthPrinter(now: Date) {
  const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  let first: Date | undefined
  let lastMonth = ''
  return (at: Date) => {
    first ??= at
    const month = name.format(at)
    const left = monthsBetween(at, now)
    const text = `${month}${left > 0 ? `, ${left === 1 ? '1 month' : `${left} months`} left` : ''}`
    progress = { text, filled: (at.getTime() - first.getTime()) / (now.getTime() - first.getTime()) }
    if (month !== lastMonth) printLine(`  ${text}`)
    lastMonth = month
  }
}

/** A declaration, because the filling above calls it before this line has run. */
function monthsBetween(from: Date, to: Date) {
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}
