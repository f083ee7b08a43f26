import assert from 'node:assert/strict'
import { relative } from 'node:path'
import fc, { type AsyncCommand } from 'fast-check'
import type { Database } from '../../server/platform/database/pool.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { type Random, randomFrom } from './model-test.ts'

/** Milliseconds in which a failed history is made shorter. */
const SHRINK_MS = 120_000

/** A step of a random history: what it is drawn from, and what it does in a world. */
export type Step<World, Drawn = unknown> = {
  drawn: fc.Arbitrary<Drawn>
  take(world: World, drawn: Drawn): Promise<unknown>
}

/** Names a step's world and its drawn values for the compiler. */
export const aStep = <World, Drawn>(
  drawn: fc.Arbitrary<Drawn>,
  take: (world: World, drawn: Drawn) => Promise<unknown>,
) => ({ drawn, take }) as Step<World>

/** Steps that draw while they run, by what the world then has: each has numbers of its own, also in a shorter history. */
export const freeSteps = <World>(steps: Record<string, (world: World, random: Random) => Promise<unknown>>) =>
  Object.fromEntries(
    Object.entries(steps).map(([name, take]) => [
      name,
      aStep(fc.nat(), (world: World, seed) => take(world, randomFrom(seed))),
    ]),
  )

export type Histories<World extends object> = {
  begin(seed: number): Promise<World>
  /** Steps by their names. */
  steps: Record<string, Step<World>>
  /** How many times as likely as the others some of them are. */
  weights?: Record<string, number>
  /** Fewest steps of a history; it may have a quarter more. */
  length: number
  /** Compares the world with the model after each step. */
  check?(world: World): Promise<unknown>
  /** Compares them after the last step. */
  end?(world: World): Promise<unknown>
  /** A database that all histories share, whose ledger is verified after the last step. */
  ledger?: Database
}

/** Draws histories of a least length, which are made shorter only when they fail. */
class LongHistory<World extends object> extends fc.Arbitrary<Iterable<AsyncCommand<object, World>>> {
  readonly #any: fc.Arbitrary<Iterable<AsyncCommand<object, World>>>
  readonly #least: number

  constructor({ steps, weights = {}, length, check }: Histories<World>) {
    super()
    const commands = Object.entries(steps).flatMap(([name, { drawn, take }]) => {
      const command = drawn.map(
        (value): AsyncCommand<object, World> => ({
          check: () => true,
          run: async (_, world) => {
            await take(world, value)
            await check?.(world)
          },
          toString: () => `${name}(${value === undefined ? '' : fc.stringify(value)})`,
        }),
      )
      return Array.from({ length: weights[name] ?? 1 }, () => command)
    })
    const replayPath = process.env.STEPS
    const maxCommands = Math.ceil(length * 1.25)
    this.#any = fc.commands(commands, { maxCommands, size: 'max', ...(replayPath && { replayPath }) })
    this.#least = length
  }

  override generate(random: fc.Random, bias: number | undefined) {
    for (;;) {
      const drawn = this.#any.generate(random, bias)
      // `value` is another copy each time that it is read, and the shrinking looks at the first
      if ([...drawn.value_].length >= this.#least) return drawn
    }
  }

  override canShrinkWithoutContext(value: unknown): value is Iterable<AsyncCommand<object, World>> {
    return this.#any.canShrinkWithoutContext(value)
  }

  override shrink(value: Iterable<AsyncCommand<object, World>>, context: unknown) {
    return this.#any.shrink(value, context)
  }
}

/**
 * Plays the random history of a seed. One that fails is made as short as it can be, and the error has the line that plays
 * it again: the seed, its place among the shorter ones and its steps.
 */
export async function playHistory<World extends object>(histories: Histories<World>, seed: number): Promise<void> {
  const { ledger } = histories
  const readDifferences = async () => (ledger ? (await verifyLedger(ledger)).map((one) => JSON.stringify(one)) : [])
  let runs = 0
  const property = fc.asyncProperty(new LongHistory(histories), async (commands) => {
    // what a failed history left in the ledger is no fault of a shorter one
    const before = runs++ > 0 ? await readDifferences() : []
    const real = await histories.begin(seed)
    await fc.asyncModelRun(() => ({ model: {}, real }), commands)
    await histories.end?.(real)
    const differences = await readDifferences()
    assert.deepEqual(
      differences.filter((one) => !before.includes(one)),
      [],
    )
  })
  const path = process.env.HISTORY
  const first = await fc.check(property, { seed, numRuns: 1, endOnFailure: true, ...(path && { path }) })
  if (!first.failed) return
  const shorter = path
    ? first
    : await fc.check(property, { seed, path: first.counterexamplePath!, interruptAfterTimeLimit: SHRINK_MS })
  // one that doesn’t fail twice is printed as it was
  const { counterexample, counterexamplePath, errorInstance } = shorter.failed ? shorter : first
  const taken = String(counterexample![0])
  const [, replayPath = ''] = /replayPath="(.*?)"/.exec(taken) ?? []
  throw new Error(
    `${(errorInstance as Error).message}\n  after ${taken.replace(/ ?\/\*.*\*\//, '')}\n` +
      `  again: RUNS=1 SEED=${seed} HISTORY=${counterexamplePath} STEPS=${replayPath} node --test ${relative('', process.argv[1]!)}`,
    { cause: errorInstance },
  )
}
