import { availableParallelism } from 'node:os'

/** One line of the report: our figure compared with its floor. */
export type Line = Spread & {
  what: string
  /** With its unit. */
  ours: string
  floor: string
  /** Null where the machine’s cores are the limit, as with two. */
  goal: number | null
  /** Other figures, such as latencies. */
  also: string
}

/** A goal that needs cores for the product, PostgreSQL and the load generator: with fewer, the row has none. */
export const goalWithCores = (goal: number): number | null => (availableParallelism() < 4 ? null : goal)

/** `ratio` compares the medians of all rounds; `lowest` and `highest` are of single rounds. */
export type Spread = { ratio: number; lowest: number; highest: number }

/** Length of the rounds, amount of data, and duration of the soak. */
export type Scale = {
  rounds: number
  roundMs: number
  sales: number
  deliveries: number
  leads: number
  clicks: number
  minutes: number
}

/**
 * Runs every way once per round, so that a slow phase of the machine affects all of them; returns all outcomes. Checks
 * between rounds whether the machine is quiet.
 */
export async function interleaveRounds<Name extends string, T>(
  watch: { look(): Promise<void> },
  rounds: number,
  ways: Record<Name, (round: number) => Promise<T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(ways) as Name[]
  const outcomes = Object.fromEntries(names.map((name) => [name, [] as T[]])) as Record<Name, T[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) outcomes[name].push(await ways[name](round))
    await watch.look()
  }
  return outcomes
}

/** The first figure as a multiple of the second, for interleaved rounds. */
export function toRatio(figures: number[], to: number[]): Spread {
  const single = figures.map((figure, round) => figure / to[round]!)
  return { ratio: toMedian(figures) / toMedian(to), lowest: Math.min(...single), highest: Math.max(...single) }
}

export function toMedian(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export const medianBy = <T>(rows: T[], figure: (row: T) => number) => toMedian(rows.map(figure))

export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en-US')}/s`
export const formatMs = (value: number) =>
  `${value < 1 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`
