import { test } from 'node:test'
import { booksLives } from '../../../test/support/books-course.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { liveAll, seeds } from '../../../test/support/lives.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('what was owed on a day stays the same, whatever happens later, and the journal leads to it', async () => {
  await liveAll(booksLives, await freshDatabase({ clock: ownClock }), seeds(2))
})
