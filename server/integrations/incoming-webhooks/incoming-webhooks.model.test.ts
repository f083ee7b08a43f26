import { test } from 'node:test'
import { incomingLives } from '../../../test/support/incoming-commands.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { listSeeds, runModelTests } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('in random lives of incoming webhooks each delivery has the outcome that the rules predict, once', async () => {
  await runModelTests(incomingLives, await freshDatabase({ clock: ownClock }), listSeeds(1))
})
