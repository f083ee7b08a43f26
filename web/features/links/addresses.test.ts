import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAddresses, type Marked } from './addresses.ts'

const utm = { source: '', medium: '', campaign: '', term: '', content: '' }
const plain = { destinationUrl: 'https://harbor.example/pricing', parameterName: 'ref', utm, key: 'pr1c4x9k' }
const whole = ({ before, code, after }: Marked) => before + code + after
const of = (change: Partial<typeof plain>) => buildAddresses({ ...plain, ...change }, 'jane', 'https://r.example')!

test('a plain destination gets the code, the short form gets the key', () => {
  const { link, short, leadsTo } = of({})
  assert.equal(whole(link), 'https://harbor.example/pricing?ref=jane')
  assert.equal(link.code, 'ref=jane')
  assert.equal(short, 'https://r.example/r/pr1c4x9k/jane')
  assert.equal(whole(leadsTo), 'https://harbor.example/pricing?ref=jane&click=…')
})

test('existing parameters and the hash stay, tags are added to the short form’s destination', () => {
  const { link, leadsTo } = of({
    destinationUrl: 'https://harbor.example/?a=1&ref=old&utm_source=own#plans',
    utm: { ...utm, source: 'partner', campaign: '{referralCode} & co' },
  })
  assert.equal(whole(link), 'https://harbor.example/?a=1&utm_source=own&ref=jane#plans')
  assert.equal(
    whole(leadsTo),
    'https://harbor.example/?a=1&utm_source=partner&utm_campaign=jane%20%26%20co&ref=jane&click=…#plans',
  )
})

test('no link is built without a web address or a name for the code', () => {
  for (const destinationUrl of ['', 'harbor.example', 'javascript:alert(1)', 'ftp://x.example'])
    assert.equal(buildAddresses({ ...plain, destinationUrl }, 'jane', 'https://r.example'), null)
  assert.equal(buildAddresses({ ...plain, parameterName: ' ' }, 'jane', 'https://r.example'), null)
})

test('an incomplete surrogate pair breaks nothing', () => {
  assert.match(whole(of({ utm: { ...utm, source: 'a\ud83d' } }).leadsTo), /utm_source=a%EF%BF%BD&/)
})
