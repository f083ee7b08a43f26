import { test } from 'node:test'
import { visitorLives } from '../../../test/support/lead-commands.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { listSeeds, runModelTests } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('random lives of visitors: their forms are one lead, and count and pay once', async () => {
  await runModelTests(visitorLives, await freshDatabase({ clock: ownClock }), listSeeds(2))
})
