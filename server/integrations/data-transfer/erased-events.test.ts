import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { exportArchive } from '../../../test/support/archives.ts'
import { newId } from '../../platform/database/ids.ts'
import { rawSql } from '../../platform/database/sql.ts'
import { importAccount } from './import-account.ts'

test('an erased person arrives erased, also in events of a release that knew fewer personal keys', async () => {
  const [here, there] = [await startApp({ worker: true }), await startApp()]
  const { db } = here.services
  const { id, token } = await anAccount(here)
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await here.api(method, path, { token, body })).body
  const lead = await call('POST', `/accounts/${id}/leads`, { email: anEmail() })
  await call('POST', `/leads/${lead.id}/erase`, {})
  await waitUntil(async () => (await call('GET', `/accounts/${id}/erasures`)).items[0].done)
  const phone = '+12125550177'
  const data = JSON.stringify({ changes: { phoneE164: { old: null, new: phone } } })
  for (const table of ['events', 'passing_events'])
    await db.run`
      insert into ${rawSql(table)} (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
      values (${newId()}, ${id}, ${db.now}, 'lead.updated', 'public', false, 'api-key', 'lead', ${lead.id}, ${data}::jsonb)`
  await importAccount(there.services.db, there.services, (await exportArchive(db, id)).path)
  const changed = await there.services.db.many<{ changes: object }>`
    select data -> 'changes' as changes from events where type = 'lead.updated'
    union all select data -> 'changes' from passing_events where type = 'lead.updated'`
  const empty = { changes: { phoneE164: { old: null, new: null } } }
  assert.deepEqual(changed, [empty, empty])
})
