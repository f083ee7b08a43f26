import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Refusal } from '../refusal.ts'
import { createFairSemaphore } from './fair-semaphore.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Work that records its runs, and ends on request. */
function aBench(options: { places: number; waiting: number; patienceMs: number }) {
  const inTurn = createFairSemaphore(options)
  const running: { name: string; end(): void }[] = []
  const start = (account: string, name = account) =>
    inTurn(account, async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const one = { name, end: resolve }
      running.push(one)
      await promise
      running.splice(running.indexOf(one), 1)
      return name
    })
  const names = () => running.map(({ name }) => name).join(' ')
  const end = async (name: string) => {
    running.find((one) => one.name === name)!.end()
    await sleep(1)
  }
  return { start, names, end }
}

test('one account takes half of the places, and every other has one', async () => {
  const { start, names, end } = aBench({ places: 6, waiting: 100, patienceMs: 5000 })
  const all = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'c'].map((account) => start(account))
  await sleep(1)
  assert.equal(names(), 'a a a b b c')
  await end('c')
  assert.equal(names(), 'a a a b b')
  all.push(start('d'))
  await sleep(1)
  assert.equal(names(), 'a a a b b d')
  while (names()) await end(names()[0]!)
  assert.equal((await Promise.all(all)).length, 10)
})

test('waiting work starts in order of arrival, account by account in turn', async () => {
  const { start, names, end } = aBench({ places: 2, waiting: 100, patienceMs: 5000 })
  const order: string[] = []
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => order.push(await start(name[0]!, name)))
  await sleep(1)
  assert.equal(names(), 'a1 b1')
  while (names()) await end(names().split(' ')[0]!)
  await Promise.all(all)
  assert.deepEqual(
    order.filter((name) => name.startsWith('a')),
    ['a1', 'a2', 'a3'],
  )
  assert.deepEqual(
    order.filter((name) => name.startsWith('b')),
    ['b1', 'b2'],
  )
  assert.ok(order.indexOf('c1') < order.indexOf('a3'), order.join(' '))
})

test('excess work is refused at once, long waits after their timeout; others take their places', async () => {
  const { start, names, end } = aBench({ places: 2, waiting: 4, patienceMs: 1500 })
  const first = start('a')
  const codes = (tries: Promise<string>[]) =>
    Promise.all(
      tries.map((one) =>
        one.then(
          () => 'done',
          ({ code, retryAfter }: Refusal) => `${code} ${retryAfter}`,
        ),
      ),
    )
  const startedAt = performance.now()
  const waiting = codes(numbers(2).map(() => start('a')))
  assert.deepEqual(
    await codes(numbers(3).map(() => start('a'))),
    numbers(3).map(() => 'unavailable 1'),
  )
  assert.ok(performance.now() - startedAt < 1400)
  assert.deepEqual(await waiting, ['unavailable 1', 'unavailable 1'])
  const next = start('a')
  await end('a')
  assert.equal(names(), 'a')
  await end('a')
  assert.deepEqual(await Promise.all([first, next]), ['a', 'a'])
})

test('failing work frees its place', async () => {
  const inTurn = createFairSemaphore({ places: 2, waiting: 4, patienceMs: 1500 })
  const fail = () => inTurn('a', () => Promise.reject(new Error('broken')))
  for (let turn = 0; turn < 3; turn++) await assert.rejects(fail(), /broken/)
  assert.equal(await inTurn('a', async () => 'done'), 'done')
})
