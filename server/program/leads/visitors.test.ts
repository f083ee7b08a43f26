import { test } from 'node:test'
import { visitorLives } from '../../../test/support/lead-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { liveAll, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('random lives of visitors: their forms are one lead, and count and pay once', async () => {
  await liveAll(visitorLives, await freshDatabase({ clock: ownClock }), seeds(2))
})
