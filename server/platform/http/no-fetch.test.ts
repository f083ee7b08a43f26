import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Calls an address at the end of a process, as a library could. */
const CALL = `data:text/javascript,process.on('exit', () => {
  for (const call of [() => fetch('http://127.0.0.1:9/'), () => new WebSocket('ws://127.0.0.1:9/')])
    try { call(); console.log('called') } catch ({ message }) { console.log(message) }
})`

/** Runs one of the product's entry points; returns its last lines. */
const endOf = (script: string, given: string[], variables: Record<string, string> = {}) =>
  new Promise<string[]>((done) =>
    execFile(
      process.execPath,
      ['--import', CALL, fileURLToPath(new URL(`../../${script}`, import.meta.url)), ...given],
      { env: { PATH: process.env.PATH, ...variables } },
      (_, stdout) => done(stdout.trim().split('\n').slice(-2)),
    ),
  )

const REFUSED = 'Only outbound() calls other servers: a library must be given it.'

test('in a process of the server, no library can call an address by itself', async () => {
  assert.deepEqual(await endOf('start.js', [], { PORT: 'none' }), [REFUSED, REFUSED])
})

test('in a process of a command, no library can call an address by itself', async () => {
  assert.deepEqual(await endOf('tributary.js', ['import', '--help']), [REFUSED, REFUSED])
})
