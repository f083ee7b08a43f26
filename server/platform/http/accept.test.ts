import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../refusal.ts'
import { mediaFor } from './accept.ts'

const offered = ['text/html', 'application/pdf', 'application/json']

test('the caller’s preferred type is returned, or the usual one without a preference', () => {
  const answers: [string | undefined, string][] = [
    [undefined, 'text/html'],
    ['', 'text/html'],
    ['*/*', 'text/html'],
    ['application/*', 'application/pdf'],
    ['Application/PDF', 'application/pdf'],
    ['application/json;q=0.9, application/pdf;q=0.8', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
    ['text/html;q=0, */*', 'application/pdf'],
    ['application/*;q=0.2, application/json;q=0.1, text/html;q=0', 'application/pdf'],
    ['image/png, application/pdf', 'application/pdf'],
    ['nonsense', 'text/html'],
    ['application/pdf;q=many', 'text/html'],
  ]
  for (const [accept, media] of answers) assert.equal(mediaFor(accept, offered), media, accept)
})

test('a caller who accepts none of the available types gets a list of them', () => {
  for (const accept of ['image/png', 'text/plain, image/*', '*/*;q=0'])
    assert.throws(
      () => mediaFor(accept, offered),
      (error) => error instanceof Refusal && error.status === 406 && error.message.includes('application/pdf'),
      accept,
    )
})
