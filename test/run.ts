import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { glob, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { startEmbedded } from '../server/platform/database/embedded.ts'
import { removeFolder, scratchFolder } from './support/scratch.ts'

// Everything `npm test` checks, in the order of what fails soonest. A failing stage doesn't hide the later ones.
// `npm test -- types journeys` runs only the stages named.

type Counts = { passed: number; failed: number; skipped: number }
/** A stage says what it counted, and whether all is well. */
type Stage = { name: string; title: string; run(): Promise<{ ok: boolean; counts?: Counts }> }

const root = fileURLToPath(new URL('../', import.meta.url))
const quiet = Boolean(process.env.CI)
let running: ChildProcess | undefined
let interrupted = false

const stages: Stage[] = [
  { name: 'lint', title: 'format and lint', run: () => check('biome', ['check', '.']) },
  { name: 'types', title: 'types', run: () => check('tsc', ['--noEmit']) },
  { name: 'unused', title: 'unused code', run: () => check('knip', []) },
  { name: 'build', title: 'web application', run: () => check('node', ['server/platform/http/web-build.ts']) },
  { name: 'pack', title: 'packed server', run: () => check('node', ['server/pack.ts']) },
  { name: 'unit', title: 'unit and integration tests', run: runUnitTests },
  { name: 'plans', title: 'plans over a million rows', run: () => check('node', ['test/plans/run.ts']) },
  { name: 'journeys', title: 'journeys in a browser', run: runJourneys },
]

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !stages.some((stage) => stage.name === name))
if (unknown) {
  process.stderr.write(`There is no stage ${unknown}; there are ${stages.map((stage) => stage.name).join(', ')}.\n`)
  process.exit(1)
}

const scratch = await scratchFolder()

/** Runs a tool; what it prints is shown when it fails. */
async function check(command: string, args: string[]) {
  let said = ''
  const code = await execute(command, args, {}, (piece) => {
    said += piece
  })
  if (code !== 0) process.stdout.write(said)
  return { ok: code === 0 }
}

/** More than there are cores, as files wait much: for hashes, for a poll, for what must not happen. */
const AT_ONCE = Math.max(3, availableParallelism())

async function runUnitTests() {
  const files = await filesLike('**/*.test.ts')
  const summary = join(scratch, 'unit.json')
  const reporters = [
    ...[`--test-reporter=${quiet ? 'dot' : 'spec'}`, '--test-reporter-destination=stdout'],
    ...['--test-reporter=./test/support/counting-reporter.ts', `--test-reporter-destination=${summary}`],
    '--import=./test/support/watchdog.ts',
  ]
  // each file is a process of its own, which compiles the server anew unless it finds it compiled
  const compiled = { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') }
  const code = await withPostgres((env) =>
    execute('node', ['--test', `--test-concurrency=${AT_ONCE}`, ...reporters, ...files], { ...env, ...compiled }),
  )
  const { passed = 0, failed = 0, cancelled = 0, skipped = 0, todo = 0, slowest = [] } = await readJson(summary)
  const named = (slowest as { file: string; ms: number }[]).map(({ file, ms }) => `${file} (${seconds(ms)})`)
  say(`\nslowest: ${named.join(', ')}`)
  return { ok: code === 0, counts: { passed, failed: failed + cancelled, skipped: skipped + todo } }
}

async function runJourneys() {
  const none = { passed: 0, failed: 0, skipped: 0 }
  if ((await filesLike('test/journeys/**/*.spec.ts')).length === 0) return { ok: true, counts: none }
  const summary = join(scratch, 'journeys.json')
  const reporters = `--reporter=${quiet ? 'dot' : 'list'},json`
  const code = await withPostgres((env) =>
    execute('playwright', ['test', reporters], { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: summary }),
  )
  const { stats } = await readJson(summary)
  if (!stats) return { ok: false, counts: { ...none, failed: 1 } }
  return {
    ok: code === 0,
    counts: { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped },
  }
}

async function filesLike(pattern: string) {
  const found: string[] = []
  const exclude = (name: string) => /(^|\/)(node_modules|dist|data|demo-data|\.cache|\.git)$/.test(name)
  for await (const file of glob(pattern, { cwd: root, exclude })) found.push(file)
  return found.sort()
}

/** One PostgreSQL for all files of a stage; each test file takes databases of its own from it. */
async function withPostgres(work: (env: NodeJS.ProcessEnv) => Promise<number>) {
  const dataDir = join(scratch, 'postgres')
  const embedded = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), test: true })
  try {
    return await work({ TEST_DATABASE_URL: embedded.url })
  } finally {
    await embedded.stop()
  }
}

/** Answers the exit code. Without `hear` the output is passed on as it comes. */
async function execute(command: string, args: string[], env: NodeJS.ProcessEnv = {}, hear?: (piece: string) => void) {
  if (interrupted) return 1
  const bin = join(root, 'node_modules', '.bin')
  const child = spawn(command === 'node' ? process.execPath : join(bin, command), args, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...env },
    stdio: ['ignore', hear ? 'pipe' : 'inherit', hear ? 'pipe' : 'inherit'],
  })
  running = child
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => hear?.(String(piece)))
  const [code] = await once(child, 'close')
  running = undefined
  return (code as number | null) ?? 1
}

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    running?.kill('SIGTERM')
  })

const total = { passed: 0, failed: 0, skipped: 0 }
const startedAt = performance.now()
const failures: string[] = []
for (const stage of stages.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  if (!quiet) say(`\n== ${stage.title}`)
  const stageStartedAt = performance.now()
  const { ok, counts } = await stage.run()
  if (counts) for (const key of ['passed', 'failed', 'skipped'] as const) total[key] += counts[key]
  const result = counts ? `: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped` : ''
  say(`${ok ? 'ok' : 'FAILED'}  ${stage.title} (${seconds(performance.now() - stageStartedAt)})${result}`)
  if (!ok) failures.push(stage.title)
  if (interrupted) break
}
await removeFolder(scratch)
const verdict = interrupted
  ? 'interrupted'
  : failures.length > 0
    ? `FAILED: ${failures.join(', ')}`
    : 'all stages passed'
say(`\n${verdict} after ${seconds(performance.now() - startedAt)}`)
say(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(failures.length > 0 || interrupted ? 1 : 0)
