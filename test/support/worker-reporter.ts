import { appendFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import type { FileResult } from './file-result.ts'
import { END } from './worker-tests.ts'

/** A reporter for a lane: a line for each file, each failure in full, and counts for `npm test` in `COUNTS_FILE`. */
export default async function* report(events: AsyncIterable<TestEvent>) {
  const { COUNTS_FILE, QUIET_REPORTER } = process.env
  let counts = { passed: 0, failed: 0, skipped: 0 }
  let failures: string[] = []
  let before = process.cpuUsage()
  const parents: string[] = []
  /** Depth of the suite that has just ended. */
  let suite: number | undefined
  for await (const event of events) {
    if (event.type === 'test:start') parents.splice(event.data.nesting, Infinity, event.data.name)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, nesting, details, skip, todo } = event.data
    if (name === END) {
      suite = nesting - 1
      continue
    }
    const isSuite = nesting === suite
    suite = undefined
    const error = 'error' in details ? details.error : undefined
    if (error && !isOfSubtests(error)) {
      counts.failed++
      process.exitCode = 1
      failures.push(`✖ ${[...parents.slice(0, nesting), name].join(' › ')}\n${inspect(error.cause ?? error)}\n\n`)
    } else if (!error && nesting > 0 && !isSuite) counts[skip || todo ? 'skipped' : 'passed']++
    if (nesting > 0) continue
    const ms = details.duration_ms
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    const result: FileResult = { file: name, ms, cpu: (user + system) / 1000, ...counts, failures }
    if (COUNTS_FILE) appendFileSync(COUNTS_FILE, `${JSON.stringify(result)}\n`)
    if (failures.length > 0) yield failures.join('')
    else if (!QUIET_REPORTER) yield `✔ ${name} (${counts.passed} in ${(ms / 1000).toFixed(1)} s)\n`
    counts = { passed: 0, failed: 0, skipped: 0 }
    failures = []
  }
}

/** A test or file whose own failure is that of a test within it. */
const isOfSubtests = (error: Error) => 'failureType' in error && error.failureType === 'subtestsFailed'
