import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { keysByHash } from './keys-by-hash.ts'

const KEYS = 500
/** More than five calls, after which PostgreSQL may cache the plan. */
const CALLS = 10

test('a key is found by its hash among those of many accounts, also with a cached plan', async () => {
  const db = await freshDatabase({ max: 1 })
  const ids = Array.from({ length: KEYS }, newId)
  await db.run`
    insert into accounts (id, name, public_id, time_zone, created_at, updated_at)
    select id, 'Account', id, 'UTC', now(), now() from unnest(${ids}::uuid[]) id`
  await db.run`
    insert into api_keys (id, account_id, name, rights, key_hash, last_four, created_at)
    select gen_random_uuid(), id, 'Key', '{read}', uuid_send(id), 'last', now() from unnest(${ids}::uuid[]) id`
  await asDatabaseOwner(db).run`analyze accounts, api_keys`
  const rowsRead = async () => {
    await db.run`select pg_stat_force_next_flush()`
    const { read } = await db.one<{ read: number }>`
      select sum(seq_tup_read)::bigint as read from pg_stat_user_tables where relname in ('accounts', 'api_keys')`
    return read
  }
  const before = await rowsRead()
  for (const id of ids.slice(0, CALLS)) {
    const hash = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64')
    const found = await keysByHash(db, [hash])
    assert.deepEqual(
      [...found].map(([, { account }]) => account.id),
      [id],
    )
  }
  assert.equal(await rowsRead(), before)
})
