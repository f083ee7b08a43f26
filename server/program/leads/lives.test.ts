import { test } from 'node:test'
import { leadLives } from '../../../test/support/lead-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { liveAll, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('random lives of leads: their partners, their protection, and later partners', async () => {
  await liveAll(leadLives, await freshDatabase({ clock: ownClock }), seeds(1))
})
