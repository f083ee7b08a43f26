import type { TestEvent } from 'node:test/reporters'

/** A reporter that writes nothing but the counts of the whole run, as JSON, for the summary of `npm test`. */
export default async function* counts(events: AsyncIterable<TestEvent>) {
  for await (const event of events)
    if (event.type === 'test:summary' && event.data.file === undefined) yield JSON.stringify(event.data.counts)
}
