import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, expectOk, startApp, waitUntil } from '#test/support/app.ts'

const LISTS = 5
const IN_A_LIST = 100
/** Rows read: without statistics, each person is compared with all leads of the account, in a few ways. */
const MOST_READ = 5 * (LISTS * IN_A_LIST) ** 2

test('pushing lists into an empty database reads no lead repeatedly, before PostgreSQL has any statistics', async () => {
  const app = await startApp()
  const { id, token } = await anAccount(app)
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${id}/api-key`, { token })).body
  const push = (what: string, body: unknown) => app.api('POST', `/push/${what}`, { token: apiKey, body })
  for (let list = 0; list < LISTS; list++) {
    const leads = Array.from({ length: IN_A_LIST }, (_, index) => `${list}-${index}`)
    expectOk(
      await push(
        'leads',
        leads.map((name) => ({ externalId: name, email: `${name}@mail.example` })),
      ),
    )
    expectOk(
      await push(
        'sales',
        leads.map((name) => ({ leadExternalId: name, externalId: name, amount: 100 })),
      ),
    )
  }
  const read = await waitUntil(async () => {
    const { read, written } = await app.services.db.one<{ read: number; written: number }>`
      select seq_tup_read + idx_tup_fetch as read, n_tup_ins as written from pg_stat_user_tables where relname = 'leads'`
    return written === LISTS * IN_A_LIST && read
  })
  assert.ok(read < MOST_READ, `${read} rows of leads were read`)
})
