import { test } from 'node:test'
import { deliveryLives } from '../../../test/support/delivery-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { liveAll, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

for (const seed of seeds(1))
  test(`a random life of webhooks delivers everything due, only to its own webhook (seed ${seed})`, async () => {
    await liveAll(deliveryLives, await freshDatabase({ clock: ownClock }), [seed])
  })
