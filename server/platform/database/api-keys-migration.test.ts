import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { asBefore, migrateFrom } from '../../../test/support/migrations.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { keysByHash } from '../../program/access/api-keys.ts'
import { accountById } from '../../program/accounts/queries.ts'
import { listKeys, openKey } from '../../program/api-keys/api-keys.ts'
import { newId } from './ids.ts'
import { createSecrets, tokenHash } from './secrets.ts'

const KEYS = '0029-api-keys.sql'

test('the key an account had goes on working under its name, and is read as before', async () => {
  const db = ownerOf(await freshDatabase())
  const secrets = createSecrets(randomBytes(32))
  await asBefore(db, KEYS)
  const key = 'tpk_as-an-earlier-release-made-it'
  const [keyed, keyless] = [newId(), newId()]
  const sealed = secrets.seal(key, `accounts|api_key_sealed|${keyed}|${keyed}`)
  for (const [id, hash, seal] of [
    [keyed, tokenHash(key), sealed],
    [keyless, null, null],
  ] as const)
    await db.run`
      insert into accounts (id, public_id, api_key_hash, api_key_sealed, created_at, updated_at)
      values (${id}, ${id}, ${hash}, ${seal}, '2026-03-01Z', '2026-03-01Z')`
  await db.run`
    insert into events (id, account_id, at, type, kind, audited, actor_type, subject_type, subject_id, data)
    values (${newId()}, ${keyed}, '2026-04-01Z', 'account.api-key-renewed', 'recorded', true, 'system', 'account', ${keyed}, '{}')`
  await migrateFrom(db, KEYS)

  const hash = tokenHash(key).toString('base64')
  const found = (await keysByHash(db, [hash])).get(hash)!
  assert.deepEqual([found.id, found.account.id, found.rights], [keyed, keyed, ['push']])
  assert.equal(openKey(secrets, keyed, (await accountById(db, keyed)).apiKeySealed!), key)
  assert.equal((await accountById(db, keyless)).apiKeySealed, null)
  const { items } = await listKeys(db, secrets, keyed, { limit: 25, sort: '-createdAt' })
  assert.deepEqual(
    items.map(({ name, lastFour, createdAt }) => [name, lastFour, createdAt]),
    [['Push data', 'e-it', '2026-04-01T00:00:00.000Z']],
  )
})
