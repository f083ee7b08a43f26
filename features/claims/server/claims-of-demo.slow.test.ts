import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledDemo } from '#test/support/filled-demo.ts'
import { claimWithCandidates, listClaims } from './present-claim.ts'

test('of the open claims one has a match that can be credited, and one has none', async () => {
  const { db, account } = await filledDemo(new Date('2026-11-20T16:00:00Z'))
  const claims = (await listClaims(db, account, { limit: 50, sort: '-createdAt', state: ['open'] })).items
  const found = await Promise.all(claims.map(({ id }) => claimWithCandidates(db, account, id)))
  const ready = found.map(({ candidates }) => candidates.filter(({ state }) => state === 'ready').length)
  assert.ok(ready.includes(0) && ready.some((count) => count > 0), ready.join())
})
