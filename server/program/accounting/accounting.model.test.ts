import { test } from 'node:test'
import { booksLives } from '../../../test/support/books-commands.ts'
import { ownClock } from '../../../test/support/ledger.ts'
import { listSeeds, runModelTests } from '../../../test/support/model-test.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'

test('what was owed on a day stays the same, whatever happens later, and the journal leads to it', async () => {
  await runModelTests(booksLives, await freshDatabase({ clock: ownClock }), listSeeds(1))
})
