import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../../test/fakes/server.ts'
import { accessTo } from '../../../test/support/past-sales.ts'
import { createJsonClient } from './provider-calls.ts'

test('a page of a hundred long orders or bills is read', async () => {
  // with twenty lines of about 2 kB each
  const orders = Array.from({ length: 100 }, () => ({ line_items: 'x'.repeat(40_000) }))
  const server = await startServer(() => ({ status: 200, body: { orders } }))
  const { outbound } = accessTo(server)
  const client = createJsonClient({ outbound, name: 'Shop', root: server.url, headers: {}, wordsIn: () => null })
  assert.deepEqual(await client.get('orders'), { orders })
})
