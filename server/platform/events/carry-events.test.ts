import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asBefore, migrateFrom } from '../../../test/support/migrations.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { newId } from '../database/ids.ts'

const EVENTS = '0025-events.sql'

test('the activity, the timelines, mails still to be sent and former e-mails are carried over', async () => {
  const db = ownerOf(await freshDatabase())
  await asBefore(db, EVENTS)
  const [account, partner, lead, user] = [newId(), newId(), newId(), newId()]
  await db.run`
    insert into accounts (id, public_id, created_at, updated_at) values (${account}, ${account}, ${db.now}, ${db.now})`
  await db.run`
    insert into partners (id, account_id, email, referral_code, created_on, created_at, updated_at)
    values (${partner}, ${account}, 'now@mail.example', 'kim', '2026-01-01', ${db.now}, ${db.now})`
  await db.run`
    insert into leads (id, account_id, email, source, status, created_on, created_at, updated_at)
    values (${lead}, ${account}, 'l@mail.example', 'manual', 'new', '2026-01-01', ${db.now}, ${db.now})`
  const email = { email: { old: 'before@mail.example', new: 'now@mail.example' } }
  await db.run`
    insert into audit (id, account_id, at, actor_type, actor_id, action, subject_type, subject_id, changes, network)
    values (${newId()}, ${account}, now(), 'user', ${user}, 'partner.changed', 'partner', ${partner},
        ${JSON.stringify(email)}::jsonb, '10.1.2.0/24'),
      (${newId()}, null, now(), 'user', ${user}, 'sign-in', 'user', ${user}, '{}', null)`
  await db.run`
    insert into lead_events (id, account_id, lead_id, type, actor, text, shared, at)
    values (${newId()}, ${account}, ${lead}, 'status', ${`user:${user}`}, 'Qualified', true, ${db.now}),
      (${newId()}, ${account}, ${lead}, 'note', null, 'Seen at the fair', false, ${db.now})`
  await db.run`
    insert into outbox (account_id, type, data, at)
    values (${account}, 'invitation.requested', '{"invitationId": "i", "sendCount": 1}', ${db.now}),
      (${account}, 'sale.created', '{"saleId": "s"}', ${db.now}),
      (${account}, 'partner.payout-settings-updated',
        jsonb_build_object('partnerId', ${partner}::text, 'recipients', '["now@mail.example"]'::jsonb), ${db.now}),
      (${account}, 'partner.payout-settings-updated',
        jsonb_build_object('partnerId', ${partner}::text, 'recipients', '[]'::jsonb), ${db.now})`
  await migrateFrom(db, EVENTS)

  assert.deepEqual(await db.many`select action, subject_id, changes, network, actor_id from audit order by action`, [
    { action: 'partner.updated', subjectId: partner, changes: email, network: '10.1.2.0/24', actorId: user },
    { action: 'sign-in', subjectId: user, changes: {}, network: null, actorId: user },
  ])
  const lines = await db.many`
    select actor_type, actor_id, data -> 'lines' as lines from events where subject_id = ${lead} order by actor_type`
  assert.deepEqual(lines, [
    { actorType: 'system', actorId: null, lines: [{ type: 'note', text: 'Seen at the fair', shared: false }] },
    { actorType: 'user', actorId: user, lines: [{ type: 'status', text: 'Qualified', shared: true }] },
  ])
  const pending = await db.many`
    select e.type, e.data from event_relays r join told_events e on e.id = r.event_id order by e.type`
  assert.deepEqual(pending, [
    { type: 'invitation.requested', data: { invitationId: 'i', sendCount: 1 } },
    { type: 'payout-details.changed', data: { partnerId: partner } },
  ])
  assert.deepEqual(await db.many`select partner_id, email from former_emails`, [
    { partnerId: partner, email: 'before@mail.example' },
  ])
})
