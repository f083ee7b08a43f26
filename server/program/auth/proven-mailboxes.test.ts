import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'

const migration = new URL('../../platform/database/migrations/0017-proven-mailboxes.sql', import.meta.url)

test('what was there before keeps its names, its links and what was proven', async () => {
  const db = ownerOf(await freshDatabase())
  await db.pool.query(`
    drop table mail_counts, refused_sign_ins;
    alter table invitations drop first_name, drop last_name, drop shareable;
    alter table users drop verified_at;
    alter table password_resets drop sign_in_hash, drop signed_in_at;
    drop view audit;
    create table audit (id uuid primary key, at timestamptz not null, actor_type text not null, actor_id uuid,
      action text not null, subject_type text not null, subject_id uuid)`)
  const [one, other] = [newId(), newId()]
  for (const id of [one, other])
    await db.run`
      insert into accounts (id, public_id, created_at, updated_at) values (${id}, ${id}, ${db.now}, ${db.now})`
  const user = async (email: string, firstName: string | null, hash: string | null) => {
    const id = newId()
    await db.run`
      insert into users (id, email, first_name, password_hash, created_at, updated_at)
      values (${id}, ${email}, ${firstName}, ${hash}, ${db.now}, ${db.now})`
    return id
  }
  const invite = (accountId: string, userId: string, status: string, sentAt: Date | null = null) => db.run`
    insert into invitations (id, kind, account_id, user_id, status, token_hash, last_sent_at, sent_at, expires_at, created_at, updated_at)
    values (${newId()}, 'owner', ${accountId}, ${userId}, ${status}, ${Buffer.from(newId())}, ${db.now}, ${sentAt},
      ${db.now}, ${db.now}, ${db.now})`
  const pending = await user('pending@a.example', 'Pia', null)
  await invite(one, pending, 'pending')
  const shared = await user('shared@a.example', 'Sam', null)
  await invite(one, shared, 'opened')
  await invite(other, shared, 'pending')
  const mailed = await user('mailed@a.example', 'Mia', null)
  await invite(one, mailed, 'sent', db.now)
  const owner = await user('owner@a.example', 'Olu', 'hash')
  await invite(other, owner, 'accepted')
  const partner = await user('partner@a.example', 'Pat', 'hash')
  const reset = await user('reset@a.example', 'Rae', 'hash')
  await db.run`
    insert into audit (id, at, actor_type, actor_id, action, subject_type, subject_id)
    values (${newId()}, ${db.now}, 'user', ${reset}, 'password.reset', 'user', ${reset})`

  await db.pool.query(await readFile(migration, 'utf8'))
  const users = await db.many`
    select id, first_name, verified_at is not null as verified from users order by array_position(
      ${[pending, shared, mailed, owner, partner, reset]}::uuid[], id)`
  assert.deepEqual(
    users.map(({ firstName, verified }) => [firstName, verified]),
    [
      [null, false],
      [null, false],
      [null, false],
      ['Olu', true],
      ['Pat', false],
      ['Rae', true],
    ],
  )
  const invitations = await db.many`
    select i.first_name, i.shareable from invitations i join users u on u.id = i.user_id order by u.email, i.account_id = ${other}`
  assert.deepEqual(
    invitations.map(({ firstName, shareable }) => [firstName, shareable]),
    [
      ['Mia', false],
      [null, false],
      ['Pia', true],
      ['Sam', false],
      ['Sam', false],
    ],
  )
})
