import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SIGNING_SECRET, startWithStripe, workOff } from '../../../test/support/payment-providers.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { deliver, stripePayment } from '../../../test/support/stand-ins/stripe-events.ts'
import { newId } from '../../platform/database/ids.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { transaction } from '../../platform/database/pool.ts'
import { createSecrets } from '../../platform/database/secrets.ts'
import { carryCredentials } from './carry-credentials.ts'
import { checkConnection } from './connections.ts'
import { connectionById } from './queries.ts'
import { openCredentials } from './secrets.ts'

const MIGRATION = '0024-provider-credentials.sql'
const folder = new URL('../../platform/database/migrations/', import.meta.url)

/** A database as the release before this migration left it. */
async function formerDatabase() {
  const db = ownerOf(await freshDatabase())
  await db.run`drop schema public cascade`
  await db.run`create schema public`
  await db.run`create table migrations (name text primary key, hash text not null, applied_at timestamptz(3) not null)`
  for (const name of (await readdir(folder)).sort().filter((file) => file.endsWith('.sql') && file < MIGRATION)) {
    const text = await readFile(new URL(name, folder), 'utf8')
    await transaction(db, (tx) => tx.client.query(text))
    const hash = createHash('sha256').update(text).digest('hex')
    await db.run`insert into migrations (name, hash, applied_at) values (${name}, ${hash}, ${db.now})`
  }
  return db
}

test('what a former release sealed apart is one object after a start, and the connection goes on as before', async () => {
  const db = await formerDatabase()
  const secretKey = randomBytes(32)
  const secrets = createSecrets(secretKey)
  const accountId = newId()
  await db.run`
    insert into accounts (id, public_id, created_at, updated_at) values (${accountId}, ${accountId}, ${db.now}, ${db.now})`
  const sealed = (column: string, id: string, text: string) =>
    secrets.seal(text, `provider_connections|${column}|${id}|${accountId}`)
  const connect = async (shop: string, key: string | null, webhookSecret: string | null) => {
    const id = newId()
    const shopId = newId()
    await db.run`
      insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
      values (${shopId}, ${accountId}, 'stripe', false, ${shop}, ${db.now})`
    await db.run`
      insert into provider_connections (id, account_id, shop_id, provider, method, provider_account_id, livemode, hook_key,
        key_sealed, webhook_secret_sealed, disconnected_at, created_at, updated_at)
      values (${id}, ${accountId}, ${shopId}, 'stripe', 'credentials', ${shop}, false, ${`key-of-${shop}`},
        ${key && sealed('key_sealed', id, key)}, ${webhookSecret && sealed('webhook_secret_sealed', id, webhookSecret)},
        ${key ? null : db.now}, ${db.now}, ${db.now})`
    return id
  }
  const key = 'rk_test_StandIn0000000000000001'
  const whole = await connect('acct_1StandInShop', key, SIGNING_SECRET)
  const unsigned = await connect('acct_2', key, null)
  const ended = await connect('acct_3', null, null)
  await migrate(db)

  const { app, stripe } = await startWithStripe({ db, config: { secretKey } }, { key })
  await carryCredentials(app.services)
  const rowOf = async (id: string) => (await connectionById(db, accountId, id))!
  const kept = async (id: string) => {
    const row = await rowOf(id)
    return [openCredentials(app.services.secrets, row), row.webhookSecretSet, row.webhookUrl]
  }
  const address = (shop: string) => `${app.url}/hooks/providers/stripe/key-of-${shop}`
  const both = { restrictedKey: key, webhookSecret: SIGNING_SECRET }
  assert.deepEqual(await kept(whole), [both, true, address('acct_1StandInShop')])
  assert.deepEqual(await kept(unsigned), [{ restrictedKey: key }, false, address('acct_2')])
  assert.deepEqual(await kept(ended), [null, false, null])
  const left = await db.many`
    select from provider_connections where key_sealed is not null or webhook_secret_sealed is not null`
  assert.equal(left.length, 0)

  const { chargeSucceeded } = stripePayment({ amount: 1000, store: stripe.store })
  assert.equal((await deliver(address('acct_1StandInShop'), chargeSucceeded, SIGNING_SECRET)).status, 200)
  await workOff(app)
  assert.equal((await db.many`select from sales where account_id = ${accountId}`).length, 1)
  assert.equal((await checkConnection(app.services, accountId, whole)).state, 'connected')

  const before = (await rowOf(whole)).credentialsSealed
  await carryCredentials(app.services)
  assert.deepEqual((await rowOf(whole)).credentialsSealed, before)
  await db.run`
    update provider_connections set key_sealed = ${sealed('key_sealed', whole, 'rk_test_newer')} where id = ${whole}`
  const moved = { ...app.services, config: { ...app.services.config, appUrl: 'https://elsewhere.example' } }
  await carryCredentials(moved)
  const newer = { restrictedKey: 'rk_test_newer', webhookSecret: SIGNING_SECRET }
  assert.deepEqual(await kept(whole), [newer, true, address('acct_1StandInShop')])
})
