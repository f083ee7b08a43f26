import { after } from 'node:test'

/** Fails the file if anything in its process calls `fetch`, as libraries do that call a server by themselves. */
export function failOnFetch() {
  const { fetch } = globalThis
  globalThis.fetch = (to) => {
    // the library may well catch what is thrown
    process.stderr.write(`fetch was called: ${to instanceof Request ? to.url : to}\n`)
    process.exitCode = 1
    throw new Error('nothing may be called by fetch here')
  }
  // the next file of the process calls its own servers
  after(() => Object.assign(globalThis, { fetch }))
}
