import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { NIL, newId } from '../database/ids.ts'

const DAY_MS = 86_400_000

test('partitions have the rules and rights of the whole table: nothing in them is changed, truncated or deleted', async () => {
  const db = await freshDatabase()
  const owner = asDatabaseOwner(db)
  await db.run`select renew_months('events', ${new Date(Date.now() + 100 * DAY_MS)}, null)`
  const months = await db.many<{ name: string; whole: string }>`
    select name, whole from months where whole <> 'clicks' and until is not null and name not like '%first'`
  assert.ok(months.length > 6)
  const { role } = await db.one<{ role: string }>`select current_user::text as role`
  const id = newId()
  for (const { name, whole } of months) {
    const { grants } = await owner.one<{ grants: boolean }>`
      select has_table_privilege(${role}, ${name}, 'insert')
        and not has_table_privilege(${role}, ${name}, 'update')
        and not has_table_privilege(${role}, ${name}, 'delete') as grants`
    assert.ok(grants, name)
    for (const change of ['truncate', 'drop table'])
      await assert.rejects(db.pool.query(`${change} ${name}`), { code: '42501' }, whole)
  }
  await db.run`
    insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, data)
    values (${id}, ${NIL}, now(), 'sign-in', 'recorded', true, 'user', 'user', '{}')`
  await assert.rejects(owner.run`update events set type = 'x' where id = ${id}`, /append-only/)
  await assert.rejects(owner.run`delete from events where id = ${id}`, /append-only/)
  for (const whole of ['events', 'passing_events'])
    await assert.rejects(owner.pool.query(`truncate ${whole}`), /append-only/)
  const far = new Date(Date.now() + 4000 * DAY_MS)
  await db.run`select renew_months('events', ${far}, ${far})`
  assert.equal((await db.many`select from events where id = ${id}`).length, 1, 'whoever asks')
  await assert.rejects(db.run`select renew_months('sales', ${far}, ${far})`, { code: '42501' })
})
