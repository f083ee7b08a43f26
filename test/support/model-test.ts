import assert from 'node:assert/strict'
import type { Database } from '../../server/platform/database/pool.ts'
import { Refusal } from '../../server/platform/refusal.ts'
import { ProviderError } from '../../server/program/payouts/methods/method.ts'

/**
 * Random lives of a part of the product: each is a course of events derived from its seed, run by the real server code
 * and compared with a model after each step. `npm run test:fuzz` plays many of them.
 */
export type ModelTest = {
  /** Prepares the state that all lives of a database share. */
  begin(db: Database): Promise<{
    /** Throws with the seed, the steps so far and the fault. */
    live(seed: number): Promise<void>
    end(): Promise<void>
  }>
}

export type Random = ReturnType<typeof randomFrom>

/** Numbers that depend on the seed alone (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    chance: (percent: number) => below(100) < percent,
    between: (least: number, most: number) => least + below(most - least + 1),
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    shuffled<T>(list: readonly T[]): T[] {
      const rest = [...list]
      return list.map(() => rest.splice(below(rest.length), 1)[0]!)
    },
  }
}

/** Ends a worker at a step. */
export class SimulatedCrash extends Error {}

/** Returns `done`, the code of a refusal, `unknown` if a provider did not answer, or the step at which the worker died. */
export async function settleOutcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refusal) return error.code
    if (error instanceof SimulatedCrash) return `died at ${error.message}`
    if (error instanceof ProviderError) return 'unknown'
    throw error
  }
}

/**
 * The number of lives of a test: a few, or RUNS. Its slow test sets RUNS and runs it again; SEED tries others. A
 * failure reports its seed and its steps.
 */
export const numberOfRuns = (few: number) => Number(process.env.RUNS ?? few)
export const listSeeds = (few: number) =>
  Array.from({ length: numberOfRuns(few) }, (_, index) => Number(process.env.SEED ?? 1) + index)

/** The cases that a test runs: a few, spread over the table, or as many as RUNS. */
export function someCases<T>(cases: readonly T[], few: number): T[] {
  const count = Math.min(numberOfRuns(few), cases.length)
  return Array.from({ length: count }, (_, at) => cases[Math.floor((at * cases.length) / count)]!)
}

/** Plays the lives of these seeds on their own database. */
export async function runModelTests(lives: ModelTest, db: Database, seeds: number[], lanes = 1) {
  const { live, end } = await lives.begin(db)
  const waiting = [...seeds]
  const wrong: string[] = []
  const lane = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift())
      await live(seed).catch((error: Error) => wrong.push(error.message))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  await end()
  assert.deepEqual(wrong, [])
}
