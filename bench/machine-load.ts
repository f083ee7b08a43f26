import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { allProcesses, ticksBelow } from './processes.ts'
import { toMedian } from './rounds.ts'
import type { Spin } from './spin.ts'

// Whether the machine is quiet: other work slows the floor more than the path under test, so a ratio would be
// meaningless.

/** The part by which a spin may be longer than the run's shortest. */
export const TOLERANCE = 0.15
/** The part of all processors that other work may use before the bench starts. */
export const MOST_OTHER_WORK = 0.1

/** About 100 ms on a core of 3 GHz. */
const TURNS = 50_000_000
const SPINS = 3
const REST_PATIENCE_MS = 30_000
const REST_MS = 100

export type Watch = {
  /** Spin times so far, in ms. */
  readonly spins: number[]
  /** Looks skipped because the bench's own processes did not come to rest. */
  readonly restless: number
  /** Waits until the bench's own processes rest, then measures a fixed spin on all cores at once. */
  look(): Promise<void>
  end(): void
}

export async function startWatch(): Promise<Watch> {
  const cores = Array.from({ length: availableParallelism() }, () => startChild<Spin, number>('spin.ts'))
  // the slowest core counts: one busy core delays work that needs all of them
  const spin = async () => Math.max(...(await Promise.all(cores.map((core) => core.ask({ turns: TURNS })))))
  const spins: number[] = []
  let restless = 0
  // the first ones compile
  for (let turn = 0; turn < SPINS; turn++) await spin()
  return {
    spins,
    get restless() {
      return restless
    },
    async look() {
      if (!(await atRest())) return void restless++
      const times: number[] = []
      for (let turn = 0; turn < SPINS; turn++) times.push(await spin())
      spins.push(toMedian(times))
    },
    end: () => {
      for (const core of cores) core.end()
    },
  }
}

/** The longest of these spins compared with the shortest: 0.5 is half as long again. */
export const relativeSlowdown = (spins: number[], shortest: number) =>
  spins.length ? Math.max(...spins) / shortest - 1 : 0

/**
 * Returns the part of all processors that others use during a second; 0 if the system does not report it. The bench
 * itself still compiles and collects then.
 */
export async function otherWork(): Promise<number> {
  const before = readTimes()
  const own = before && ownTicks()
  await sleep(1000)
  const after = readTimes()
  if (!before || !after) return 0
  return shareAtWork(before, { ...after, working: after.working - (ownTicks() - own!) })
}

type Times = { working: number; all: number }

const readTimes = () => (process.platform === 'linux' ? parseTimes(readFileSync('/proc/stat', 'utf8')) : undefined)

/**
 * Reads `/proc/stat`: times of all processors since the machine was started; time stolen by its host counts as work.
 */
export function parseTimes(stat: string): Times {
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...others] = stat
    .slice(0, stat.indexOf('\n'))
    .split(/\s+/)
    // time of guests is part of their host's
    .slice(1, 9)
    .map(Number)
  const working = user + nice + system + others.reduce((sum, one) => sum + one, 0)
  return { working, all: working + idle + waiting }
}

export const shareAtWork = (before: Times, after: Times) =>
  after.all > before.all ? (after.working - before.working) / (after.all - before.all) : 0

/** Waits until the bench and all its processes are idle; returns whether they were in time. */
async function atRest() {
  if (process.platform !== 'linux') return sleep(1000, true)
  for (const until = performance.now() + REST_PATIENCE_MS; performance.now() < until; ) {
    const before = ownTicks()
    await sleep(REST_MS)
    // one tick, the system's unit of a hundredth of a second
    if (ownTicks() - before <= 1) return true
  }
  return false
}

/** Processor ticks of this process and all its descendants, ended ones included. */
const ownTicks = () => ticksBelow(allProcesses(), process.pid)
