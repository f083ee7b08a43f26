import { setTimeout as sleep } from 'node:timers/promises'
import { createAttempts } from './attempts.ts'
import { measureCluster } from './cluster.ts'
import { compareRuns } from './compare.ts'
import { measureCosts } from './costs.ts'
import { measureDeliveries } from './deliveries.ts'
import { type BenchEnvironment, startGround } from './environment.ts'
import { measureEvents } from './events.ts'
import { measureFirstLoad } from './first-load.ts'
import { measureGrowth, measureKeptClicks } from './growth.ts'
import { measureImports } from './imports.ts'
import { measureLists } from './lists.ts'
import { MOST_OTHER_WORK, otherWork, relativeSlowdown, startWatch, TOLERANCE, type Watch } from './machine-load.ts'
import { measureMemory } from './memory.ts'
import { measureMixed } from './mixed.ts'
import { readOptions } from './options.ts'
import { endDescendants } from './processes.ts'
import { measurePushedSales } from './push-sales.ts'
import { describeMachine, type Kept, LOAD, readRun, writeRun } from './record.ts'
import { measureRedirect } from './redirect.ts'
import type { Line, Scale } from './rounds.ts'
import { measureSoak } from './soak.ts'
import { measureStart } from './start.ts'
import { measureStatistics } from './statistics.ts'
import { formatComparison, table } from './table.ts'
import { measureUiLatency } from './ui-latency.ts'

// npm run bench: every figure beside its floor, which does the same work with the bare engine, in the same run.
// docs/benchmarks.md describes its options and its output.

/**
 * A figure is a line here. `named` ones are measured only on request; `exact` ones do not depend on how busy the
 * machine is.
 */
type Figure = { measure(ground: BenchEnvironment, scale: Scale): Promise<Line[]>; named?: boolean; exact?: boolean }
const figures: Record<string, Figure> = {
  redirect: { measure: measureRedirect },
  sales: { measure: measurePushedSales },
  mixed: { measure: measureMixed },
  imports: { measure: measureImports },
  events: { measure: measureEvents },
  deliveries: { measure: measureDeliveries },
  statistics: { measure: measureStatistics },
  // a million rows take minutes to fill
  lists: { measure: measureLists, named: true },
  'first-load': { measure: measureFirstLoad, exact: true },
  start: { measure: measureStart },
  memory: { measure: measureMemory },
  // by processor time, which other work changes little
  costs: { measure: measureCosts, named: true },
  // for accounts of many sizes
  growth: { measure: measureGrowth, named: true },
  clicks: { measure: measureKeptClicks, named: true },
  // needs Citus; by processor time and statements, as all machines are this one
  cluster: { measure: measureCluster, named: true, exact: true },
  // takes an hour
  soak: { measure: measureSoak, named: true },
  // a browser takes its time
  felt: { measure: measureUiLatency, named: true },
}

const FULL: Scale = {
  rounds: 5,
  roundMs: 2000,
  sales: 1_000_000,
  deliveries: 50_000,
  leads: 100_000,
  clicks: 10_000_000,
  minutes: 60,
}
const QUICK: Scale = {
  rounds: 1,
  roundMs: 1500,
  sales: 100_000,
  deliveries: 5_000,
  leads: 10_000,
  clicks: 100_000,
  minutes: 5,
}

/** Exit codes. */
const UNKNOWN_OR_WORSE = 1
const BUSY = 2
const INTERRUPTED = 130
/** Time of an interrupted figure to clear up. */
const CLEARING_MS = 10_000

const printLine = (line: string) => process.stdout.write(`${line}\n`)
const percent = (part: number) => `${Math.round(part * 100)} %`
const end = (sentence: string, code: number): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(code)
}

const names = Object.keys(figures)
const options = (() => {
  try {
    return readOptions(process.argv.slice(2), names)
  } catch (error) {
    return end((error as Error).message, UNKNOWN_OR_WORSE)
  }
})()
// an unreadable earlier run is reported before the measurement, which takes an hour
const earlier = options.compare === undefined ? undefined : await readRun(options.compare)
const base = options.quick ? QUICK : FULL
const scale: Scale = {
  ...base,
  ...(options.full && { sales: base.sales * 10, clicks: base.clicks * 10 }),
  ...(options.minutes && { minutes: options.minutes }),
}
const wanted = Object.entries(figures).filter(([name, { named }]) =>
  options.names.length === 0 ? !named : options.names.includes(name),
)

const others = await otherWork()
const busyBefore = others > MOST_OTHER_WORK
if (busyBefore) {
  const sentence = `The machine is busy: other work takes ${percent(others)} of its processors, at most ${percent(MOST_OTHER_WORK)} may.`
  if (!options.anyway) end(`${sentence} Nothing was measured; --anyway measures all the same.`, BUSY)
  printLine(sentence)
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
const interrupted = new Promise<never>((_, reject) => {
  interruption.signal.addEventListener('abort', () => reject(new Error('interrupted')))
})
interrupted.catch(() => {})

const startedAt = performance.now()
const watch = await startWatch()
const measured: { lines: Line[]; spins: number[]; exact: boolean }[] = []
await watch.look()
const ground = await startGround(watch)
const { failed, attempt } = createAttempts()
let measuring: Promise<Line[]> = Promise.resolve([])
for (const [name, figure] of wanted) {
  if (interruption.signal.aborted) break
  await attempt(name, async () => {
    printLine(`measuring ${name} …`)
    // this figure's first look is the one that ended the figure before
    const first = Math.max(0, watch.spins.length - 1)
    measuring = figure.measure(ground, scale)
    const lines = await Promise.race([measuring, interrupted])
    await watch.look()
    measured.push({ lines, spins: watch.spins.slice(first), exact: figure.exact ?? false })
  })
}
if (interruption.signal.aborted) {
  await endDescendants()
  // it notices, and clears up what it made
  await Promise.race([measuring.catch(() => {}), sleep(CLEARING_MS)])
}
await attempt('clearing up', () => ground.stop())
watch.end()

const shortest = Math.min(...watch.spins)
const kept = measured.flatMap(({ lines, spins, exact }) => {
  // without a check during the measurement, assume that the machine was busy
  const busy = !exact && (busyBefore || spins.length < 2 || relativeSlowdown(spins, shortest) > TOLERANCE)
  const shown = !busy || options.anyway
  return lines.map((line): Kept => ({ ...line, ...(!shown && { ratio: null, lowest: null, highest: null }), busy }))
})
const rounds = `${scale.rounds} rounds of ${scale.roundMs / 1000} s`
printLine('')
for (const line of table(kept)) printLine(line)
if (options.json === true) printLine(JSON.stringify(kept))
printLine(
  `\n${rounds}, ${Math.round((performance.now() - startedAt) / 1000)} s in all. Medians; ratios of single rounds beside them.`,
)
printLine(`On ${describeMachine()}. Load: ${LOAD}.`)
printQuiet(watch)
if (typeof options.json === 'string')
  await writeRun(options.json, {
    at: new Date().toISOString(),
    machine: describeMachine(),
    load: LOAD,
    rounds,
    spins: { shortest, longest: Math.max(...watch.spins) },
    lines: kept,
  })
if (earlier) {
  const found = compareRuns(earlier.lines, kept)
  printLine(`\nBeside the run of ${earlier.at} on ${earlier.machine}:`)
  for (const line of formatComparison(found)) printLine(line)
  if (found.worse.length > 0) process.exitCode = UNKNOWN_OR_WORSE
}
if (kept.some(({ busy }) => busy)) process.exitCode = BUSY
for (const failure of failed) printLine(`\nFAILED ${failure}`)
if (failed.length > 0) process.exitCode = UNKNOWN_OR_WORSE
// what the interrupted figure waits for is left
if (interruption.signal.aborted) process.exit(INTERRUPTED)

function printQuiet({ spins, restless }: Watch) {
  const slowest = relativeSlowdown(spins, shortest)
  printLine(
    slowest > TOLERANCE
      ? `The machine was busy: a spin of ${shortest.toFixed(0)} ms took up to ${percent(slowest)} longer, at most ${percent(TOLERANCE)} may.`
      : busyBefore
        ? `The machine was busy when it started: other work took ${percent(others)} of its processors.`
        : `The machine was quiet: ${spins.length} spins of ${shortest.toFixed(0)} ms, none more than ${percent(slowest)} longer.`,
  )
  if (restless > 0) printLine(`${restless} looks were left out, as the bench's own processes were still at work.`)
}
