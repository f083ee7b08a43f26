import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { waitUntil } from '../test/support/app.ts'
import { allProcesses, listDescendants } from './processes.ts'

test('interrupted, it prints what it has measured and ends the product and PostgreSQL that it started', async () => {
  const run = fileURLToPath(new URL('run.ts', import.meta.url))
  const child = spawn(process.execPath, [run, 'first-load', 'start', '--quick', '--anyway'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece
    })
  const ended = once(child, 'exit')
  await waitUntil(() => output.includes('measuring start'), 180_000)
  const started = listDescendants(child.pid!)
  assert.ok(started.length > 5, `only ${started.length} processes`)
  child.kill('SIGINT')
  assert.deepEqual(await ended, [130, null], output)
  assert.match(output, /\| .*first .* KB/i)
  assert.match(output, /FAILED start: Error: interrupted/)
  const left = allProcesses().filter(({ id }) => started.includes(id))
  assert.deepEqual(left, [])
})
