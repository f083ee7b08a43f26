import type { BenchEnvironment } from './environment.ts'
import { aFolderWithData, type Lone, startBare, startProduct } from './lone-product.ts'
import { formatMs, interleaveRounds, type Line, type Scale, toMedian, toRatio } from './rounds.ts'

/** Starts per round; one takes a fraction of a second. */
const STARTS = 3
/** 250 ms; node:http takes 45 on the same machine. */
const GOAL = 45 / 250

/** The time from the command to the first 200 on existing data, with PostgreSQL, compared with node:http alone. */
export async function measureStart({ watch }: BenchEnvironment, { rounds }: Scale): Promise<Line[]> {
  const { folder, remove } = await aFolderWithData()
  try {
    const times = await interleaveRounds(watch, rounds * STARTS, {
      bare: () => timeOf(startBare()),
      ours: () => timeOf(startProduct(folder)),
    })
    return [
      {
        what: 'start on existing data, with PostgreSQL',
        ours: formatMs(toMedian(times.ours)),
        floor: formatMs(toMedian(times.bare)),
        ...toRatio(times.bare, times.ours),
        goal: GOAL,
        also: `${times.ours.length} starts, ${formatMs(Math.min(...times.ours))} to ${formatMs(Math.max(...times.ours))}`,
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
