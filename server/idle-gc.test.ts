import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { collectOnceIdle } from './idle-gc.ts'

const LOOK_EVERY_MS = 30

test('memory is released once, and only while idle', async () => {
  let times = 0
  collectOnceIdle(LOOK_EVERY_MS, () => times++)
  for (const until = performance.now() + 10 * LOOK_EVERY_MS; performance.now() < until; ) await setImmediate()
  assert.equal(times, 0)
  for (const until = Date.now() + 20_000; times === 0; await sleep(LOOK_EVERY_MS)) assert.ok(Date.now() < until)
  await sleep(5 * LOOK_EVERY_MS)
  assert.equal(times, 1)
})

test('allocated memory is released', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     import(${JSON.stringify(new URL('./idle-gc.ts', import.meta.url).href)}).then(({ collectOnceIdle }) => {
       let taken = Array.from({ length: 400_000 }, (_, index) => ({ index, text: 'number ' + index }))
       const most = process.memoryUsage().heapTotal
       taken = undefined
       collectOnceIdle(${LOOK_EVERY_MS})
       setInterval(() => parentPort.postMessage({ most, now: process.memoryUsage().heapTotal }), ${LOOK_EVERY_MS})
     })`,
    { eval: true },
  )
  for (const until = Date.now() + 20_000; ; assert.ok(Date.now() < until, 'nothing was given back')) {
    const [{ most, now }] = await once(worker, 'message')
    if (now < most / 2) break
  }
  await worker.terminate()
})
