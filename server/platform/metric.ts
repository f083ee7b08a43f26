import { singleFlight } from './single-flight.ts'

/** Label values are names from the code: no tenant's data, and few of them. */
export type Sample = { labels?: Record<string, string | number>; value: number }

/** A metric of `GET /metrics`, read on request. */
export type Metric = {
  /** Without the prefix common to ours. */
  name: string
  type: 'counter' | 'gauge' | 'summary'
  help: string
  labels?: readonly string[]
  /** Throws if unavailable; it is then omitted. */
  read(): Sample[] | Promise<Sample[]>
}

/** Most rows counted of a backlog: more is as alarming. */
export const MOST_COUNTED = 10_000

type Shown<Found> = Omit<Metric, 'read'> & { samples(found: Found): Sample[] }

/** Combines several measures of one query, which is shared while it runs. */
export function measuredTogether<Found>(look: () => Promise<Found>, shown: Shown<Found>[]): Metric[] {
  const lookOnce = singleFlight(look)
  return shown.map(({ samples, ...measure }) => ({ ...measure, read: async () => samples(await lookOnce()) }))
}

/** Returns one sample per name, under `label`. */
export const toSamples = (label: string, values: Iterable<readonly [string, number]>): Sample[] =>
  [...values].map(([name, value]) => ({ labels: { [label]: name }, value }))

/** A current value. */
export const defineGauge = (name: string, help: string, value: () => number | Promise<number>): Metric => ({
  name,
  help,
  type: 'gauge',
  read: async () => [{ value: await value() }],
})

/** Current values by name, under `label`. */
export const defineGauges = (name: string, help: string, label: string, values: () => [string, number][]): Metric => ({
  name,
  help,
  type: 'gauge',
  labels: [label],
  read: () => toSamples(label, values()),
})

/** Counts of this process by name, under `label`. */
export const defineCounter = (name: string, help: string, label: string, tally: Tally): Metric => ({
  name,
  help,
  type: 'counter',
  labels: [label],
  read: () => toSamples(label, tally),
})

/** Counts of events in this process since it started, by a name from the code. */
export class Tally<Name extends string = string> extends Map<Name, number> {
  /** Creates a tally with names known in advance, shown before anything happened. */
  static of<Name extends string>(...names: Name[]) {
    return new Tally<Name>(names.map((name) => [name, 0]))
  }

  add(name: Name, count = 1) {
    this.set(name, (this.get(name) ?? 0) + count)
  }
}
