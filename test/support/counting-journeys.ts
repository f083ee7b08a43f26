import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import type { FileResult } from './file-result.ts'

/**
 * A reporter that writes each journey as it ends, as a line of JSON, for `npm test`: the counts exist even if the run
 * is ended from outside.
 */
export default class CountingJourneys implements Reporter {
  onTestEnd(test: TestCase, { duration: ms, retry, error }: TestResult) {
    const { COUNTS_FILE } = process.env
    const outcome = test.outcome()
    if (!COUNTS_FILE || (outcome === 'unexpected' && retry < test.retries)) return
    const passed = outcome === 'expected' || outcome === 'flaky' ? 1 : 0
    const skipped = outcome === 'skipped' ? 1 : 0
    const failed = 1 - passed - skipped
    const failure = `✖ ${test.titlePath().filter(Boolean).join(' › ')}\n${stripVTControlCharacters(error?.message ?? '')}\n`
    const result: FileResult = {
      file: relative('', test.location.file),
      ms,
      passed,
      failed,
      skipped,
      failures: failed ? [failure] : [],
    }
    appendFileSync(COUNTS_FILE, `${JSON.stringify(result)}\n`)
  }
}
