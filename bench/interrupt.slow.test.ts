import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../test/support/app.ts'
import { allProcesses, descendantsOf } from './processes.ts'

test('interrupted, it prints what it has measured and ends the product and PostgreSQL that it started', async () => {
  const run = fileURLToPath(new URL('run.ts', import.meta.url))
  const child = spawn(process.execPath, [run, 'first-load', 'start', '--quick', '--anyway'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      said += piece
    })
  const ended = once(child, 'exit')
  await eventually(() => said.includes('measuring start'), 180_000)
  const started = descendantsOf(child.pid!)
  assert.ok(started.length > 5, `only ${started.length} processes`)
  child.kill('SIGINT')
  assert.deepEqual(await ended, [130, null], said)
  assert.match(said, /\| .*first .* KB/i)
  assert.match(said, /FAILED start: Error: interrupted/)
  const left = allProcesses().filter(({ id }) => started.includes(id))
  assert.deepEqual(left, [])
})
