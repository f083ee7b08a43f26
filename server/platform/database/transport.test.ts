import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInTheClear } from './transport.ts'

test('a remote address without TLS is unencrypted, unless it says that this is intended', () => {
  const clear = [
    'postgres://u:p@db.example/name',
    'postgres://u:p@localhost,10.0.0.7:5433/name',
    'postgres://u:p@[fd00::1]/n',
  ]
  const notClear = [
    ...['postgres://u:p@127.0.0.1:5432/name', 'postgres://u:p@localhost/name', 'postgres://u:p@[::1]/name'],
    ...['postgres:///name?host=/run/postgresql', 'postgres://u:p@db.example/name?sslmode=disable'],
    ...['postgres://u:p@db.example/name?sslmode=verify-full', 'postgres://u:p@a,b/name?a=b&sslmode=verify-full'],
  ]
  for (const address of clear) assert.equal(isInTheClear(address), true, address)
  for (const address of notClear) assert.equal(isInTheClear(address), false, address)
})
