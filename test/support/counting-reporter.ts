import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** A reporter that writes the result and duration of each test, as a line of JSON, for `npm test`. */
export default async function* counts(events: AsyncIterable<TestEvent>) {
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { file = '', nesting, details, skip, todo } = event.data
    const counted = details.type === 'suite' ? 0 : 1
    const skipped = skip || todo ? counted : 0
    const failed = event.type === 'test:fail' ? counted - skipped : 0
    const ms = nesting === 0 ? details.duration_ms : 0
    yield `${JSON.stringify({ file: relative('', file), ms, passed: counted - skipped - failed, failed, skipped })}\n`
  }
}
