import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOME, safeReturnPath } from './session.ts'

const origin = 'https://refer.example'

test('an internal path is kept with its query and fragment', () =>
  assert.equal(safeReturnPath('/leads?status=won#top', origin), '/leads?status=won#top'))

for (const wanted of [
  null,
  '',
  'leads',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/..//evil.example',
]) {
  test(`${JSON.stringify(wanted)} redirects home`, () => assert.equal(safeReturnPath(wanted, origin), HOME))
}
