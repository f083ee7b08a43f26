import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { glob, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { startEmbedded } from '../server/platform/database/embedded.ts'
import { OLDEST_VERSION } from '../server/prepare-database.ts'
import { folderOfAsked, readAsked } from './citus/asked.ts'
import { folderOfStatements } from './plans/statement.ts'
import { TESTS as STATEMENTS_OF } from './plans/tests.ts'
import { readTouched } from './support/affected-tests.ts'
import { findCitus, startCluster } from './support/cluster.ts'
import type { Counts, FileResult } from './support/file-result.ts'
import { findFirefox } from './support/firefox.ts'
import { removeFolder, scratchFolder } from './support/scratch.ts'
import { startPrimary } from './support/standby.ts'
import { runInWorkers } from './support/test-workers.ts'

// `npm test` runs the checks of every change, `npm run test:slow` the long ones, `npm run test:all` both, each with the
// fastest to fail first. A failing stage doesn't hide the later ones. A test is slow by its name alone:
// `*.slow.test.ts`, `*.slow.spec.ts`. `npm test -- types journeys` runs only the stages named, `npm test -- --changed`
// (or `--changed=COMMIT`) the check and the tests of the changes, and `npm test -- --all --quarter` a quarter of the
// slow files, which the commit picks: two cores need over two hours for all of them.

/** A stage returns its counts, and whether it passed. */
type Stage = {
  name: string
  title: string
  slow?: boolean
  /** Too long for continuous integration, which runs a part of it in another stage. */
  notInCi?: boolean
  /** Leaves a core idle: the next ones that do run during the first of them, one after another. */
  leavesCore?: boolean
  run(): Promise<{ ok: boolean; counts?: Counts }>
}

const root = fileURLToPath(new URL('../', import.meta.url))
const quiet = Boolean(process.env.CI)
/** They end what is running. */
const stops = new Set<() => void>()
let interrupted = false

const stages: Stage[] = [
  { name: 'client', title: 'typed client', run: () => check('node', ['client/generate/run.ts']) },
  { name: 'types', title: 'types', leavesCore: true, run: () => check('tsc', ['--noEmit']) },
  { name: 'lint', title: 'format and lint', leavesCore: true, run: () => check('biome', ['check', '.']) },
  { name: 'unused', title: 'unused code', leavesCore: true, run: () => check('knip', []) },
  {
    name: 'build',
    title: 'web application',
    leavesCore: true,
    run: () => check('node', ['server/platform/http/web-build.ts']),
  },
  { name: 'pack', title: 'packed server', leavesCore: true, run: () => check('node', ['server/pack.ts']) },
  {
    name: 'browser',
    title: 'browser of the journeys',
    leavesCore: true,
    run: () => check('node', ['test/support/chromium.ts']),
  },
  { name: 'unit', title: 'unit and integration tests', run: async () => runUnitTests(await unitTests('fast')) },
  { name: 'journeys', title: 'journeys in a browser', run: async () => runJourneys(await journeys('fast')) },
  {
    name: 'slow-unit',
    title: 'slow unit and integration tests',
    slow: true,
    run: async () => runUnitTests(await unitTests('slow')),
  },
  { name: 'oldest', title: `tests on PostgreSQL ${OLDEST_VERSION}`, slow: true, run: runOnOldestPostgres },
  {
    name: 'plans',
    title: 'plans over a million rows',
    slow: true,
    run: () => check('node', ['test/plans/run.ts']),
  },
  {
    name: 'cluster',
    title: 'tests on a Citus cluster',
    slow: true,
    run: async () => runOnCluster([...(await filesLike('test/citus/*.cluster.test.ts')), ...MONEY_ON_CLUSTER]),
  },
  {
    name: 'calls-on-cluster',
    title: 'every call on a Citus cluster',
    slow: true,
    notInCi: true,
    run: () => runOnCluster(CALLS_ON_CLUSTER),
  },
  {
    name: 'slow-journeys',
    title: 'slow journeys in a browser',
    slow: true,
    run: async () => runJourneys(await journeys('slow')),
  },
  { name: 'firefox', title: 'journeys in Firefox', slow: true, run: runInFirefox },
]
/** Stages that build what the tests need. */
const PREPARING = ['client', 'build', 'pack', 'browser']
const CHANGED = ['lint', ...PREPARING, 'types', 'unused', 'unit', 'journeys', 'slow-unit', 'slow-journeys']

const wanted = await readArguments()

async function readArguments() {
  try {
    const { values, positionals: names } = parseArgs({
      args: process.argv.slice(2).map((given) => (given === '--changed' ? '--changed=HEAD' : given)),
      options: {
        slow: { type: 'boolean' },
        all: { type: 'boolean' },
        changed: { type: 'string' },
        quarter: { type: 'boolean' },
      },
      allowPositionals: true,
    })
    const unknown = names.find((name) => !stages.some((stage) => stage.name === name))
    if (unknown)
      throw new Error(`There is no stage ${unknown}; there are ${stages.map((stage) => stage.name).join(', ')}.`)
    const touched = values.changed ? readTouched(root, values.changed) : undefined
    const isWanted = ({ name, slow = false, notInCi = false }: Stage) => {
      if (names.length > 0) return names.includes(name)
      if (notInCi && quiet) return false
      if (touched) return CHANGED.includes(name)
      if (values.all) return true
      return values.slow ? slow || PREPARING.includes(name) : !slow
    }
    return { stages: stages.filter(isWanted), touched, quarter: values.quarter ? quarterOfCommit() : undefined }
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return process.exit(1)
  }
}

/** The quarter that belongs to the current commit: 0 to 3. */
function quarterOfCommit() {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return Number.parseInt(commit.slice(0, 8), 16) % 4
}

const scratch = await scratchFolder()
/** The plans' tests are among the others of this run: their statements are collected when they run. */
const collects = ['unit', 'slow-unit', 'plans'].every((name) => wanted.stages.some((stage) => stage.name === name))
const statements = join(scratch, 'statements')
if (collects) await mkdir(statements)
const bin = join(root, 'node_modules', '.bin')
/** The environment of every stage. Tests write to the scratch folder, in memory if there is room. */
const environment = {
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH}`,
  TMPDIR: scratch,
  NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  /** Playwright's translations of TypeScript, which it otherwise makes again in each run. */
  PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, '.cache', 'translated'),
  ...(collects && { [folderOfStatements]: statements }),
}

/** Runs a tool; its output is printed if it fails. */
async function check(command: string, args: string[]) {
  let output = ''
  const code = await execute(command, args, {}, (piece) => {
    output += piece
  })
  if (code !== 0) process.stdout.write(output)
  return { ok: code === 0 }
}

type Speed = 'fast' | 'slow'

/** Short files that run for about a minute or longer. */
const LONG = [
  'server/platform/backups/drill.slow.test.ts',
  'server/program/custom-domains/custom-domains.model.slow.test.ts',
  'server/program/leads/lead-pay.model.slow.test.ts',
  'server/program/payouts/approval.model.slow.test.ts',
  'test/whole.slow.test.ts',
]

/** The longest first, so that no lane ends long after the others: those named, then the largest. */
async function unitTests(speed: Speed) {
  const all = (await filesLike('**/*.test.ts')).filter((file) => !file.endsWith('.cluster.test.ts'))
  const again = speed === 'fast' ? await repeatedLater(all) : new Set()
  const files = chosen(all, speed).filter((file) => !again.has(file))
  const sizes = new Map(files.map((file) => [file, LONG.includes(file) ? 1_000_000 : statSync(join(root, file)).size]))
  return files.toSorted((a, b) => sizes.get(b)! - sizes.get(a)!)
}

/**
 * The tests that slow ones of this run import and run for longer: with more lives, the first of them the same. Those
 * whose statements are planned run here too, as statements are collected by the name of the file that runs.
 */
async function repeatedLater(all: string[]) {
  const isNext = wanted.stages.some(({ name }) => name === 'slow-unit')
  const slow = isNext ? chosen(all, 'slow') : []
  const imported = await Promise.all(
    slow.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8')
      return [...text.matchAll(/^await import\('(.+\.test\.ts)'\)$/gm)].map(([, path]) => join(dirname(file), path!))
    }),
  )
  return new Set(imported.flat().filter((file) => !STATEMENTS_OF.includes(file)))
}

async function journeys(speed: Speed) {
  return chosen(await filesLike('{test/journeys,features}/**/*.spec.ts'), speed)
}

function chosen(files: string[], speed: Speed) {
  const ofSpeed = files.filter((file) => /\.slow\.\w+\.ts$/.test(file) === (speed === 'slow'))
  const { touched, quarter } = wanted
  if (touched) return ofSpeed.filter((file) => touched(file))
  if (speed === 'fast' || quarter === undefined) return ofSpeed
  const bySize = ofSpeed.toSorted((a, b) => statSync(join(root, a)).size - statSync(join(root, b)).size)
  return bySize.filter((file, at) => at % 4 === quarter || STATEMENTS_OF.includes(file))
}

/** Tests that cover every call, delivery and mail, and so any feature missing in the oldest PostgreSQL. */
const ON_OLDEST = [
  'test/operations.slow.test.ts',
  'server/integrations/outgoing-webhooks/delivery.test.ts',
  'server/integrations/mail/digest.test.ts',
  'server/program/stats/verify.slow.test.ts',
]

async function runOnOldestPostgres() {
  const binaries = `/usr/lib/postgresql/${OLDEST_VERSION}/bin`
  if (!existsSync(`${binaries}/initdb`)) {
    printLine(`PostgreSQL ${OLDEST_VERSION} is not installed in ${binaries}`)
    return { ok: true, counts: { ...NONE, skipped: ON_OLDEST.length } }
  }
  let end = async () => {}
  const ends = (given: typeof end) => {
    end = given
  }
  try {
    const { url } = await startPrimary({ binaries, ends })
    return await runUnitTests(ON_OLDEST, url)
  } finally {
    await end()
  }
}

/** Pushed clicks and sales, and payouts. */
const MONEY_ON_CLUSTER = [
  'server/program/clicks/push-clicks.test.ts',
  'server/program/payouts/payouts.test.ts',
  'server/program/sales/push-sales.test.ts',
]

/** Every call, and tests of the daily ones and of background work. */
const CALLS_ON_CLUSTER = [
  'test/operations.slow.test.ts',
  'server/integrations/imports/rows.test.ts',
  'server/integrations/incoming-webhooks/incoming.test.ts',
  'server/integrations/outgoing-webhooks/delivery.test.ts',
  'server/program/clicks/link-map.test.ts',
  'server/program/leads/leads.test.ts',
  'server/program/leads/list-leads.test.ts',
  'server/program/links/links.test.ts',
  'server/program/partners/partners.test.ts',
  'server/program/payouts/balance-lists.test.ts',
  'server/program/privacy/erase-lead.test.ts',
  'server/program/privacy/erase-partner.test.ts',
  'server/program/sales/list-sales.test.ts',
]

/** Runs tests on distributed databases, then checks which machines were queried. */
async function runOnCluster(files: string[]) {
  const binaries = findCitus()
  if (!binaries) {
    printLine('Citus is not installed')
    return { ok: true, counts: { ...NONE, skipped: files.length } }
  }
  const end: (() => Promise<void>)[] = []
  const folder = await mkdtemp(join(scratch, 'asked-'))
  try {
    const { url } = await startCluster({ binaries, reports: true, ends: (one) => end.push(one) })
    const { ok, counts } = await runUnitTests(files, url, {
      env: { [folderOfAsked]: folder },
      preload: './test/citus/collect.ts',
    })
    const { lines, complaints } = await readAsked(folder)
    for (const line of [...lines, ...complaints]) printLine(`\n${line}`)
    return { ok: ok && complaints.length === 0, counts }
  } finally {
    await Promise.all(end.map((one) => one()))
  }
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0 }
/** Failed tests of all stages. */
const failedTests: string[] = []

type Extra = { env?: NodeJS.ProcessEnv; preload?: string }

/** Runs on the PostgreSQL at this address, or on its own, which collects the plans' statements. */
async function runUnitTests(files: string[], given?: string, more: Extra = {}) {
  if (files.length === 0) return { ok: true, counts: NONE }
  const summary = join(scratch, 'unit.jsonl')
  const run = async (postgres: NodeJS.ProcessEnv) => {
    if (interrupted) return 1
    const env = { ...environment, ...postgres, ...more.env }
    const preload = collects && !given ? './test/plans/collect.ts' : more.preload
    const inLanes = runInWorkers(files, { root, env, preload, summary, quiet })
    stops.add(inLanes.stop)
    const ok = await inLanes.done
    stops.delete(inLanes.stop)
    return ok ? 0 : 1
  }
  const code = await (given ? run({ TEST_DATABASE_URL: given }) : withPostgres(run))
  return { ok: code === 0, counts: await readCounts(summary) }
}

/** The money flow from the first sign-in to the transfer, dashboards, partners, payouts and settings, and the embed script. */
const IN_FIREFOX = [
  'features/embed/embed.spec.ts',
  'features/embed/picker.spec.ts',
  ...[
    'journey.spec',
    'dashboard.slow.spec',
    'partners.spec',
    'payouts.spec',
    'settings.spec',
    'visitor-forms.spec',
  ].map((name) => `test/journeys/${name}.ts`),
]

async function runInFirefox() {
  if (findFirefox()) return runJourneys(IN_FIREFOX, { JOURNEYS_IN: 'firefox' })
  printLine('no Firefox is installed that can be driven')
  return { ok: true, counts: { ...NONE, skipped: IN_FIREFOX.length } }
}

async function runJourneys(files: string[], more: NodeJS.ProcessEnv = {}) {
  if (files.length === 0) return { ok: true, counts: NONE }
  const summary = join(scratch, 'journeys.jsonl')
  const reporters = `--reporter=${quiet ? 'dot' : 'list'},./test/support/counting-journeys.ts`
  const code = await withPostgres((env) =>
    execute('playwright', ['test', reporters, ...files], { ...env, ...more, COUNTS_FILE: summary }),
  )
  return { ok: code === 0, counts: await readCounts(summary) }
}

/** Adds up the results of each file, even if the run was ended early; prints the slowest, keeps the failures. */
async function readCounts(summary: string): Promise<Counts> {
  const text = await readFile(summary, 'utf8').catch(() => '')
  await rm(summary, { force: true })
  const counts = { ...NONE }
  const times = new Map<string, { ms: number; cpu: number }>()
  for (const line of text.split('\n').filter(Boolean)) {
    const { file, ms, cpu = 0, failures = [], ...counted } = JSON.parse(line) as FileResult
    add(counts, counted)
    failedTests.push(...failures.map((failure) => `${file}\n${failure}`))
    const before = times.get(file)
    times.set(file, { ms: (before?.ms ?? 0) + ms, cpu: (before?.cpu ?? 0) + cpu })
  }
  const slowest = [...times].toSorted(([, a], [, b]) => b.ms - a.ms).slice(0, SLOWEST)
  const output = slowest.map(
    ([file, { ms, cpu }]) => `${file} (${seconds(ms)}${cpu ? `, computing ${seconds(cpu)}` : ''})`,
  )
  printLine(`\nslowest: ${output.join(', ')}`)
  return counts
}

function add(to: Counts, counts: Counts) {
  for (const key of ['passed', 'failed', 'skipped'] as const) to[key] += counts[key]
}

/** Number of slowest files that are printed. */
const SLOWEST = 10
/** Number of failed tests whose beginnings are printed once more at the end, and of their lines. */
const REPEATED = { tests: 10, lines: 12 }

async function filesLike(pattern: string) {
  const found: string[] = []
  const exclude = (name: string) => /(^|\/)(node_modules|dist|data|demo-data|\.cache|\.git)$/.test(name)
  for await (const file of glob(pattern, { cwd: root, exclude })) found.push(file)
  return found.sort()
}

/** One PostgreSQL for all files of a stage; each test file creates databases of its own in it. */
async function withPostgres(work: (env: NodeJS.ProcessEnv) => Promise<number>) {
  const dataDir = join(scratch, 'postgres')
  const embedded = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), test: true })
  try {
    return await work({ TEST_DATABASE_URL: embedded.url })
  } finally {
    await embedded.stop()
  }
}

/** Returns the exit code. Without `hear` the output is passed on unchanged. */
async function execute(command: string, args: string[], env: NodeJS.ProcessEnv = {}, hear?: (piece: string) => void) {
  if (interrupted) return 1
  const child = spawn(command === 'node' ? process.execPath : join(bin, command), args, {
    cwd: root,
    env: { ...environment, ...env },
    stdio: ['ignore', hear ? 'pipe' : 'inherit', hear ? 'pipe' : 'inherit'],
  })
  const stop = () => child.kill('SIGTERM')
  stops.add(stop)
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => hear?.(String(piece)))
  const [code] = await once(child, 'close')
  stops.delete(stop)
  return (code as number | null) ?? 1
}

const printLine = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    for (const stop of stops) stop()
  })

const total = { ...NONE }
const failures: string[] = []
const startedAt = performance.now()
async function runStage(stage: Stage) {
  if (!quiet) printLine(`\n== ${stage.title}`)
  const stageStartedAt = performance.now()
  const { ok, counts } = await stage.run().catch((error: Error) => {
    printLine(String(error.stack))
    return { ok: false, counts: undefined }
  })
  if (counts) add(total, counts)
  const result = counts ? `: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped` : ''
  printLine(`${ok ? 'ok' : 'FAILED'}  ${stage.title} (${seconds(performance.now() - stageStartedAt)})${result}`)
  if (!ok) failures.push(stage.title)
}

/** Minutes after which continuous integration, which ends a run at ninety, begins no slow stage. */
const LATEST_MINUTES = 65
const isTooLate = ({ slow = false }: Stage) =>
  slow && wanted.quarter !== undefined && performance.now() - startedAt > LATEST_MINUTES * 60_000

let first: Promise<void> | undefined
for (const stage of wanted.stages) {
  if (!stage.leavesCore) await first
  if (interrupted) break
  if (isTooLate(stage)) {
    printLine(`not run  ${stage.title}: it would begin after ${LATEST_MINUTES} minutes`)
    continue
  }
  const ran = runStage(stage)
  if (stage.leavesCore && !first) first = ran
  else await ran
}
await first
await removeFolder(scratch)
for (const failure of failedTests.slice(0, REPEATED.tests))
  printLine(`\n${failure.split('\n').slice(0, REPEATED.lines).join('\n')}`)
const ms = performance.now() - startedAt
const verdict = failures.length > 0 ? `FAILED: ${failures.join(', ')}` : 'all stages passed'
printLine(`\n${interrupted ? 'interrupted' : verdict} after ${seconds(ms)}`)
printLine(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(failures.length > 0 || interrupted ? 1 : 0)
