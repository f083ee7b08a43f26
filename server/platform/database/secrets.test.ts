import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecrets } from './secrets.ts'

const key = randomBytes(32)
const secrets = createSecrets(key)
const place = 'payout_settings|details|row-1|account-1'

test('an encrypted value can be decrypted in its own place, also by another process with the key', () => {
  const sealed = secrets.seal('021000021 98765432101', place)
  assert.equal(secrets.open(sealed, place), '021000021 98765432101')
  assert.equal(createSecrets(key).open(sealed, place), '021000021 98765432101')
  assert.ok(!sealed.toString('latin1').includes('98765432101'))
})

test('it cannot be decrypted in another place, after a change, or with another key', () => {
  const sealed = secrets.seal('secret', place)
  for (const elsewhere of ['payout_settings|details|row-2|account-1', place.replace('account-1', 'account-2'), ''])
    assert.throws(() => secrets.open(sealed, elsewhere), elsewhere)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    assert.throws(() => secrets.open(changed, place), `byte ${at}`)
  }
  assert.throws(() => createSecrets(randomBytes(32)).open(sealed, place), /another key/)
})

test('the same text is encrypted differently each time, and derived identically for one purpose only', () => {
  assert.notDeepEqual(secrets.seal('secret', place), secrets.seal('secret', place))
  assert.equal(secrets.derive('reset-password', 'id'), createSecrets(key).derive('reset-password', 'id'))
  assert.notEqual(secrets.derive('reset-password', 'id'), secrets.derive('sign-in-link', 'id'))
})
