import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from './list.ts'
import { createList, createSend } from './send.ts'

/** Three pages of a list, and the requested queries. */
function pages(query?: { cursor?: string; limit?: number }) {
  const requests: string[] = []
  const answers: Record<string, Page<number>> = {
    '': { items: [1, 2], nextCursor: 'b', total: 5 },
    b: { items: [], nextCursor: 'c', total: 5 },
    c: { items: [3], nextCursor: null, total: 5 },
  }
  const send = createSend({
    baseUrl: 'http://server',
    fetch: async (url) => {
      const { search, searchParams } = new URL(String(url))
      requests.push(search)
      return Response.json(answers[searchParams.get('cursor') ?? ''])
    },
  })
  return { asked: requests, list: () => createList<Page<number>>(send, { method: 'GET', path: '/things', query }) }
}

test('awaiting a list returns one page, requested once however often it is awaited', async () => {
  const { asked: requests, list } = pages()
  const things = list()
  assert.deepEqual(requests, [], 'a list that nobody looks at is not asked for')
  assert.deepEqual(await things, { items: [1, 2], nextCursor: 'b', total: 5 })
  await things
  assert.deepEqual(requests, [''])
})

test('iterating a list returns every item of every page, also across an empty page', async () => {
  const { asked: requests, list } = pages()
  assert.deepEqual(await Array.fromAsync(list()), [1, 2, 3])
  assert.deepEqual(requests, ['?limit=100', '?limit=100&cursor=b', '?limit=100&cursor=c'])
})

test('iteration starts at the caller’s cursor, with their page size, and ends when they stop', async () => {
  const { asked: requests, list } = pages({ limit: 2, cursor: 'b' })
  assert.deepEqual(await Array.fromAsync(list()), [3])
  assert.deepEqual(requests, ['?limit=2&cursor=b', '?limit=2&cursor=c'])
  const first = pages()
  for await (const thing of first.list()) if (thing === 1) break
  assert.equal(first.asked.length, 1)
  const sizes: number[] = []
  for await (const { items } of pages().list().pages()) sizes.push(items.length)
  assert.deepEqual(sizes, [2, 0, 1])
})
