import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { type BulkAction, MOST_REFUSALS } from '#contract/bulk-actions.ts'
import { anAccount, expectOk, startApp } from '../../../test/support/app.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { newId } from '../../platform/database/ids.ts'
import { runBulkAction } from './run-bulk-action.ts'

const app = await startApp()
const { services } = app
/** Leads of the action; half of them refuse it. */
const MANY = numberOfRuns(240)

test('many leads finish at the pace of the mechanism, and the file has every refusal with the name and reason', async () => {
  const account = await anAccount(app)
  const ids = Array.from({ length: MANY }, () => newId())
  const { db } = services
  const at = `/accounts/${account.id}/bulk-actions`
  const get = async (path: string) => expectOk(await app.api('GET', path, { token: account.token })).body
  await db.run`
    insert into leads (id, account_id, first_name, email, source, status, created_on, created_at, updated_at)
    select id, ${account.id}, '=Lead ' || place, place || '@mail.example', 'import',
      case when place % 2 = 0 then 'lost' else 'new' end, ${db.now}, ${db.now}, ${db.now}
    from unnest(${ids}::uuid[]) with ordinality as n (id, place)`
  const begunAt = performance.now()
  const body = { action: 'change-lead-status', ids, change: { status: 'lost', reason: 'spam' } }
  const begun: BulkAction = expectOk(await app.api('POST', at, { token: account.token, body })).body
  let ended = begun
  while (ended.state === 'running') {
    await runBulkAction(services, { accountId: account.id, bulkActionId: begun.id })
    ended = await get(`${at}/${begun.id}`)
  }
  const seconds = (performance.now() - begunAt) / 1000
  assert.ok(seconds < 60 + MANY / 20, `${seconds} s`)
  assert.deepEqual([ended.done, ended.refused, ended.refusals.length], [MANY / 2, MANY / 2, MOST_REFUSALS])
  const file = await get(`${at}/${begun.id}/refusals/csv`)
  const rows = parse(file, { bom: true, columns: true }) as Record<string, string>[]
  assert.equal(rows.length, MANY / 2)
  assert.deepEqual(rows.at(-1), {
    ...{ name: `'=Lead ${MANY}`, id: ids.at(-1), reason: ended.refusals[0]!.error.message },
  })
  const foreign = await anAccount(app)
  const there = `/accounts/${foreign.id}/bulk-actions/${begun.id}/refusals/csv`
  assert.equal((await app.api('GET', there, { token: foreign.token })).status, 404)
})
