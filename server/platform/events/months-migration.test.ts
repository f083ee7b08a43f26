import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asBefore, migrateFrom } from '../../../test/support/migrations.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { leastIdAt, NIL, newId } from '../database/ids.ts'

const MONTHS = '0080-events-by-month.sql'
const DAY_MS = 86_400_000

test('an install that has events finds all of them after the update, and forgets as it did before', async () => {
  const db = ownerOf(await freshDatabase())
  await asBefore(db, MONTHS)
  const [account, lead] = [newId(), newId()]
  await db.run`
    insert into accounts (id, public_id, created_at, updated_at) values (${account}, ${account}, ${db.now}, ${db.now})`
  const [shown, sold, signal, ahead] = [newId(), newId(), newId(), leastIdAt(Date.now() + 70 * DAY_MS)]
  const event = (id: string, type: string, kind: string, subject: string | null, data: object) => db.run`
    insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
    values (${id}, ${account}, ${db.now}, ${type}, ${kind}, ${type === 'lead.created'}, 'system', ${subject}, ${lead},
      ${JSON.stringify(data)}::jsonb)`
  await event(shown, 'lead.created', 'public', 'lead', { object: { displayName: 'Lena' }, changes: {} })
  await event(sold, 'sale.created', 'public', 'sale', { object: { id: 's' } })
  await event(signal, 'mail.wanted', 'internal', null, { id: 'm' })
  await event(ahead, 'lead.created', 'public', 'lead', { object: { displayName: 'Ahead' } })
  await db.run`insert into event_relays (event_id) values (${signal}), (${sold}), (${ahead})`
  await migrateFrom(db, MONTHS)

  const told = () => db.many`select id, data from told_events order by id`
  assert.deepEqual(await told(), [
    { id: shown, data: { object: { displayName: 'Lena' }, changes: {} } },
    { id: sold, data: { object: { id: 's' } } },
    { id: signal, data: { id: 'm' } },
    { id: ahead, data: { object: { displayName: 'Ahead' } } },
  ])
  assert.deepEqual(await db.many`select id, told_name from audit order by id`, [
    { id: shown, toldName: 'Lena' },
    { id: ahead, toldName: 'Ahead' },
  ])
  assert.deepEqual(await db.many`select data from events where id = ${ahead}`, [{ data: {} }])

  await db.run`delete from event_relays where event_id = ${sold}`
  const later = new Date(Date.now() + DAY_MS)
  await db.run`select forget_events(${later}, 100)`
  assert.deepEqual(await told(), [
    { id: signal, data: { id: 'm' } },
    { id: ahead, data: { object: { displayName: 'Ahead' } } },
  ])
  assert.deepEqual(await db.many`select id, told_name from audit order by id`, [
    { id: shown, toldName: null },
    { id: ahead, toldName: 'Ahead' },
  ])
})

test('months have the rules and rights of the whole: nothing in them is changed, emptied or taken away', async () => {
  const db = await freshDatabase()
  const owner = ownerOf(db)
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
