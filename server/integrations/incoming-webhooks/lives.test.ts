import { test } from 'node:test'
import { incomingLives } from '../../../test/support/incoming-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { liveAll, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('in random lives of incoming webhooks each delivery has the outcome that the rules predict, once', async () => {
  await liveAll(incomingLives, await freshDatabase({ clock: ownClock }), seeds(1))
})
