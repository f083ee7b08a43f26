import type { BenchEnvironment } from './environment.ts'
import { aFolderWithData, type Lone, startBare, startProduct } from './lone-product.ts'
import { interleave, type Line, median, ms, ratioOf, type Scale } from './rounds.ts'

/** Starts per round; one takes a fraction of a second. */
const STARTS = 3
/** 250 ms; node:http takes 45 on the same machine. */
const GOAL = 45 / 250

/** The time from the command to the first 200 on existing data, with PostgreSQL, compared with node:http alone. */
export async function measureStart({ watch }: BenchEnvironment, { rounds }: Scale): Promise<Line[]> {
  const { folder, remove } = await aFolderWithData()
  try {
    const times = await interleave(watch, rounds * STARTS, {
      bare: () => timeOf(startBare()),
      ours: () => timeOf(startProduct(folder)),
    })
    return [
      {
        what: 'start on existing data, with PostgreSQL',
        ours: ms(median(times.ours)),
        floor: ms(median(times.bare)),
        ...ratioOf(times.bare, times.ours),
        goal: GOAL,
        also: `${times.ours.length} starts, ${ms(Math.min(...times.ours))} to ${ms(Math.max(...times.ours))}`,
      },
    ]
  } finally {
    await remove()
  }
}

async function timeOf(starting: Promise<Lone>) {
  const { firstAnswerMs, end } = await starting
  await end()
  return firstAnswerMs
}
