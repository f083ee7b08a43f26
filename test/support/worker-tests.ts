import { AsyncLocalStorage } from 'node:async_hooks'
import * as native from 'node:test'
import { inspect } from 'node:util'

// In place of `node:test` for the files of a lane. Node finds the test that a hook or a test belongs to by following
// every promise with an async hook, a quarter of all that a lane computes. Here AsyncLocalStorage hands the test on,
// which costs next to nothing.

type Work = (t: native.TestContext) => void | Promise<void>
type Given = [name: string, work: Work] | [name: string, options: native.TestOptions, work: Work]

const tests = new AsyncLocalStorage<native.TestContext>()
/** Fail the tests that are running, the innermost last. */
const running: ((error: unknown) => void)[] = []

/** Name of the last test of a file or suite, which is not reported: Node awaits none defined after the others ended. */
export const END = 'end of the file'

/** Fails the running test with an error that nothing caught; Node fails the process as well. */
export function failRunning(error: unknown) {
  const fail = running.at(-1)
  if (fail) fail(error)
  else process.stdout.write(`✖ after the end of a file: ${inspect(error)}\n`)
}

/** Runs a test's work, whose hooks and tests become the test's own. */
export const runWithin = (work: Work) => async (t: native.TestContext) => {
  const begin = t.test.bind(t)
  t.test = ((...given: Given) => {
    const { name, options, work: its } = split(given)
    return begin(name, options, runWithin(its))
  }) as typeof t.test
  const { promise: uncaught, reject } = Promise.withResolvers()
  running.push(reject)
  try {
    await Promise.race([tests.run(t, work, t), uncaught])
  } finally {
    running.splice(running.indexOf(reject), 1)
  }
}

const split = (given: Given) =>
  given.length === 2
    ? { name: given[0], options: {}, work: given[1] }
    : { name: given[0], options: given[1], work: given[2] }

function present() {
  const found = tests.getStore()
  if (!found) throw new Error('a test or hook outside of a test file')
  return found
}

export function test(...given: Given) {
  const { name, options, work } = split(given)
  return present().test(name, options, work)
}

export function describe(...given: Given) {
  const { name, options, work } = split(given)
  return test(name, options, async (t) => {
    await work(t)
    await t.test(END, () => {})
  })
}

export const suite = (...given: Given) => describe(...given)

type Hook = (work: () => unknown) => void
export const before: Hook = (work) => present().before(work)
export const after: Hook = (work) => present().after(work)
export const beforeEach: Hook = (work) => present().beforeEach(work)
export const { mock } = native
Object.assign(test, { after, before, beforeEach, describe, suite, mock, test })
