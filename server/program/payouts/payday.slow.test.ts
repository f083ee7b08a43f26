import { test } from 'node:test'
import { ownClock } from '../../../test/support/ledger.ts'
import { listSeeds } from '../../../test/support/model-test.ts'
import { paydayLives } from '../../../test/support/payday-commands.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

// `npm run test:fuzz -- --model payday --payees 500 --runs 1` pays five hundred.

test('a payday on which Wise fails in every way: everybody is paid once, and both books say the same', async (t) => {
  const { live, end } = await paydayLives(14).begin(await freshDatabase({ clock: ownClock }))
  for (const seed of listSeeds(2)) await t.test(`seed ${seed}`, () => live(seed))
  await end()
})
