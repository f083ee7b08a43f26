import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taken, textsIn } from '../test/support/outside-texts.ts'

test('every accepted text has a maximum length', () => {
  const endless = taken.flatMap(([name, schema]) =>
    textsIn(schema, name)
      .filter(([, most]) => most === null)
      .map(([path]) => path),
  )
  // any JSON, limited by the bytes of the whole object
  assert.deepEqual(endless.sort(), [
    'addPasskey.credential.clientExtensionResults{key}',
    'changeMe.preferences{key}',
    'confirmPassword.passkey.clientExtensionResults{key}',
    'signInByPasskey.credential.clientExtensionResults{key}',
    'testIncomingWebhook.payload{key}',
  ])
})
