import { test } from 'node:test'
import { deliveryLives } from '../../../test/support/delivery-commands.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { listSeeds, runModelTests } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

for (const seed of listSeeds(1))
  test(`a random life of webhooks delivers everything due, only to its own webhook (seed ${seed})`, async () => {
    await runModelTests(deliveryLives, await freshDatabase({ clock: ownClock }), [seed])
  })
