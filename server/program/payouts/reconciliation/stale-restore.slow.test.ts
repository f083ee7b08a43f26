import assert from 'node:assert/strict'
import { test } from 'node:test'
import { livePaypalRestore } from '../../../../test/support/paypal-restore-commands.ts'
import { liveWithRestore } from '../../../../test/support/restore-commands.ts'

// Histories that once failed. `npm run test:fuzz -- --model restores` runs others.
const lives: [seed: number, once: string][] = [
  [12, 'a new batch file paid under the number of a forgotten one'],
  [18, 'a forgotten transfer was said to be of whoever has its number now'],
  [10, 'old results were about another payout'],
]

test('a copy of any age takes the place of the database: everybody is paid once', async (t) => {
  for (const [seed, once] of lives)
    await t.test(`seed ${seed}: ${once}`, async () => assert.equal(await liveWithRestore(seed), 'paused'))
})

test('a copy that has forgotten nothing goes on by itself', async () => {
  assert.equal(await liveWithRestore(2, { atOnce: true }), 'went on')
})

test('a copy that pays by PayPal meets each payment it has forgotten', async () => {
  const { pauses } = await livePaypalRestore(2)
  assert.ok(pauses > 0)
})
