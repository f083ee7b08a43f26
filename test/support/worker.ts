import { createHook } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { registerHooks } from 'node:module'
import { mock, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testFiles } from '../plans/statement.ts'
import { END, failRunning, runWithin } from './worker-tests.ts'

// A lane runs one test file after another in one process, so the server is loaded and compiled once, not once a file.
// Each file is its own test: hooks at the top of the file are called around it alone. See `runInLanes`.

/** Message to a lane: the next file, or null after the last. */
export type Next = { file: string | null }

const tests = new URL('./worker-tests.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'node:test' ? tests : specifier, context),
})
const unhook = suspendHooks()
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, failRunning)
const environment = { ...process.env }

for (;;) {
  process.send?.('ready')
  const [{ file }] = (await once(process, 'message')) as [Next]
  if (file === null) break
  channel(testFiles).publish(file)
  const ended = test(
    file,
    runWithin(async (t) => {
      await import(pathToFileURL(file).href)
      await t.test(END, () => {})
    }),
  )
  unhook()
  await ended
  mock.reset()
  // what a file sets, such as the RUNS of a slow test, is its own
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}
// not by itself: tests leave connections open
setTimeout(() => process.exit(), 200)

/** Lets no async hook be enabled until the returned function is called: Node's tests enable theirs with the first test. */
function suspendHooks() {
  const hooks = Object.getPrototypeOf(createHook({}))
  const { enable } = hooks
  hooks.enable = function keepDisabled() {
    return this
  }
  return () => {
    hooks.enable = enable
  }
}
