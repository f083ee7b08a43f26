import { together } from './together.ts'

/** Label values are names from the code: nothing of any tenant, and few of them. */
export type Sample = { labels?: Record<string, string | number>; value: number }

/** A metric of `GET /metrics`, read when it is asked for. */
export type Measure = {
  /** Without the prefix that all of ours have. */
  name: string
  type: 'counter' | 'gauge'
  help: string
  labels?: readonly string[]
  /** Throws where it cannot be told now; it is left out then. */
  read(): Sample[] | Promise<Sample[]>
}

/** Backlogs are counted no further: more is as alarming. */
export const MOST_COUNTED = 10_000

type Shown<Found> = Omit<Measure, 'read'> & { samples(found: Found): Sample[] }

/** Several measures of one look at the database, which is not asked again while it still answers. */
export function measuredTogether<Found>(look: () => Promise<Found>, shown: Shown<Found>[]): Measure[] {
  const lookOnce = together(look)
  return shown.map(({ samples, ...measure }) => ({ ...measure, read: async () => samples(await lookOnce()) }))
}

/** One sample for each name, under `label`. */
export const byName = (label: string, values: Iterable<readonly [string, number]>): Sample[] =>
  [...values].map(([name, value]) => ({ labels: { [label]: name }, value }))

/** How often something happened in this process since it started, by a name from the code. */
export class Tally<Name extends string = string> extends Map<Name, number> {
  /** Of the names that are known beforehand: they are shown before anything happened. */
  static of<Name extends string>(...names: Name[]) {
    return new Tally<Name>(names.map((name) => [name, 0]))
  }

  add(name: Name, count = 1) {
    this.set(name, (this.get(name) ?? 0) + count)
  }
}
