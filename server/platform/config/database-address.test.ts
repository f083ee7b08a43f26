import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachHost, isDatabaseAddress } from './database-address.ts'

test('an address with several hosts becomes one for each, with its own port', () => {
  assert.deepEqual(eachHost('postgres://u:p,w@a:5433,[::1],c.example/name?sslmode=require'), [
    'postgres://u:p,w@a:5433/name?sslmode=require',
    'postgres://u:p,w@[::1]/name?sslmode=require',
    'postgres://u:p,w@c.example/name?sslmode=require',
  ])
  for (const one of ['postgres://u:p@a:5433/name', 'postgres://a', 'postgresql:///name?host=/run/postgresql,x'])
    assert.deepEqual(eachHost(one), [one])
})

for (const [address, isOne] of [
  ['postgres://u:p@a:5432,b:5433/name', true],
  ['postgresql:///name?host=/run/postgresql', true],
  ['postgres://u:p@a,b', true],
  ['postgres://u:p@a:5432,/name', false],
  ['postgres://u:p@,b/name', false],
  ['postgres://u:p@a:5432,b:port/name', false],
  ['mysql://a,b/name', false],
  ['a:5432,b:5432', false],
] as const)
  test(`${address} is ${isOne ? 'accepted' : 'refused'}`, () => assert.equal(isDatabaseAddress(address), isOne))
