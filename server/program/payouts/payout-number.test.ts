import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberAsWritten, numberNamed, payoutName } from './payout-number.ts'

test('a payout is called by its number, and the number is read from the name', () => {
  for (const statementNumber of [1, 12, 9_999_999]) {
    const name = payoutName({ statementNumber })
    assert.equal(name, `PO-${statementNumber}`)
    assert.equal(numberNamed(name), statementNumber)
  }
})

test('what the product writes is read exactly, what people write in any case', () => {
  const readings: [name: string | null, exactly: number | null, inAnyCase: number | null][] = [
    ['PO-7', 7, 7],
    ['po-7', null, 7],
    ['Po-0012', null, 12],
    ['PO-12345678', null, null],
    ['PO-', null, null],
    ['PO-1.5', null, null],
    ['PO-12\n', null, null],
    ['PO-１２', null, null],
    [' PO-12', null, null],
    ['Invoice PO-12', null, null],
    ['', null, null],
    [null, null, null],
  ]
  for (const [name, exactly, inAnyCase] of readings)
    assert.deepEqual([numberNamed(name), numberAsWritten(name)], [exactly, inAnyCase], String(name))
})
