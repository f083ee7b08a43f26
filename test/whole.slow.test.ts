import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPgBouncer } from './support/pgbouncer.ts'
import { playWhole } from './support/whole-commands.ts'

/** Limit for work that takes less than five seconds on an idle machine. */
const SOON_MS = 20_000

test('two web and two worker processes with a PgBouncer survive a failover, and every sale exists once', {
  skip: withoutPgBouncer,
}, async (t) => {
  const { perSecond, longestPauseMs } = await playWhole({ sales: 1500 })
  t.diagnostic(`${Math.round(perSecond)} sales a second, none for ${Math.round(longestPauseMs)} ms`)
  assert.ok(longestPauseMs < SOON_MS, `${longestPauseMs} ms`)
})
