import { test } from 'node:test'
import { leadLives } from '../../../test/support/lead-commands.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { listSeeds, runModelTests } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('random lives of leads: their partners, their protection, and later partners', async () => {
  await runModelTests(leadLives, await freshDatabase({ clock: ownClock }), listSeeds(1))
})
