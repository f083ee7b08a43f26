import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testFiles } from '../plans/statement.ts'
import { END } from './lane-reporter.ts'

// A lane runs one test file after another in one process, so the server is loaded and compiled once, not once a file.
// Each file is a test of its own: hooks at the top of the file are called around it alone. See `runInLanes`.

/** Message to a lane: the next file, or null after the last. */
export type Next = { file: string | null }

const environment = { ...process.env }

for (;;) {
  process.send?.('ready')
  const [{ file }] = (await once(process, 'message')) as [Next]
  if (file === null) break
  channel(testFiles).publish(file)
  await test(file, async (tests) => {
    await import(pathToFileURL(file).href)
    // Node awaits no tests that are defined after the others have ended; this one runs after all of them
    await tests.test(END, () => {})
  })
  mock.reset()
  // what a file sets, such as the RUNS of a slow test, is its own
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}
// not by itself: tests leave connections open
setTimeout(() => process.exit(), 200)
