import assert from 'node:assert/strict'
import { test } from 'node:test'
import { taken, textsIn } from '../test/support/outside-texts.ts'
import { optionalText, requiredText } from './values.ts'

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

test('a text that grows when it is normalized is as long as what is stored', () => {
  const letter = '\ufb2a'
  assert.equal(letter.normalize().length, 2)
  for (const schema of [requiredText(40), optionalText(40)]) {
    assert.equal(schema.parse(letter.repeat(20)), letter.repeat(20).normalize())
    assert.equal(schema.safeParse(letter.repeat(21)).error?.issues[0]?.message, 'Use at most 40 characters')
  }
})
