import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

const stored = new Map<string, string>()
Object.assign(globalThis, {
  location: { pathname: '/dashboard' },
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  },
})
// its own module, as others may have loaded it without these
const module: string = './prefetch.ts?early'
const { dropEarly, deletePrefetches, savePrefetch, consumePrefetched }: typeof import('./prefetch.ts') = await import(
  module
)
mock.method(performance, 'now', () => 0)
const readStored = () => JSON.parse(stored.get('tributary.early') ?? '{}')

test('a first screen’s requests are remembered for the next time, each once, and deleted with the session', () => {
  stored.set('tributary.early', JSON.stringify({ '/admin/accounts': { day: 'x', asked: [] } }))
  for (const address of ['/api/v1/users/me', '/api/v1/accounts/1', '/api/v1/users/me']) savePrefetch(address)
  const requests = ['/api/v1/users/me', '/api/v1/accounts/1']
  assert.deepEqual(readStored()['/dashboard'], { day: new Date().toDateString(), asked: requests })
  assert.ok(readStored()['/admin/accounts'])
  for (let at = 0; at < 30; at++) savePrefetch(`/api/v1/things/${at}`)
  assert.equal(readStored()['/dashboard'].asked.length, 12)
  deletePrefetches()
  assert.deepEqual(readStored(), {})
})

test('an early response is used once, and only with the token of its request', async () => {
  const answer = Promise.resolve(new Response('{}'))
  globalThis.tributaryEarly = { token: 'a', answers: new Map([['/api/v1/users/me', answer]]) }
  assert.equal(consumePrefetched('/api/v1/users/me', 'b'), undefined)
  assert.equal(consumePrefetched('/api/v1/other', 'a'), undefined)
  assert.equal(consumePrefetched('/api/v1/users/me', 'a'), answer)
  assert.equal(consumePrefetched('/api/v1/users/me', 'a'), undefined)
  globalThis.tributaryEarly = undefined
  assert.equal(consumePrefetched('/api/v1/users/me', 'a'), undefined)
})

test('an early response of before a write is not used', () => {
  globalThis.tributaryEarly = {
    token: 'a',
    answers: new Map([['/api/v1/payouts', Promise.resolve(new Response('{}'))]]),
  }
  dropEarly()
  assert.equal(consumePrefetched('/api/v1/payouts', 'a'), undefined)
  globalThis.tributaryEarly = undefined
  dropEarly()
})
