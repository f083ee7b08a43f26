import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** How many files are named that took longest. */
const SLOWEST = 10

/** A reporter that writes nothing but the counts of the whole run and its slowest files, as JSON, for `npm test`. */
export default async function* counts(events: AsyncIterable<TestEvent>) {
  const files: { file: string; ms: number }[] = []
  for await (const event of events) {
    if (event.type !== 'test:summary') continue
    const { file, duration_ms: ms, counts } = event.data
    if (file) files.push({ file: relative('', file), ms })
    else yield JSON.stringify({ ...counts, slowest: files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST) })
  }
}
