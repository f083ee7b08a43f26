import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runInLanes } from './lanes.ts'

test('a lane that cannot start ends the run', async () => {
  const root = join(import.meta.dirname, '../..')
  const { done } = runInLanes(['a.test.ts'], { root, env: process.env, preload: './no-such-module.ts', quiet: true })
  assert.equal(await done, false)
})
