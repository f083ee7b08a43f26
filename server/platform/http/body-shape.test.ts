import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkShape } from './body-shape.ts'

const check = (json: string, maxValues?: number) => () => checkShape(Buffer.from(json), maxValues)

test('as many fields and items as allowed pass, and one more does not', () => {
  const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`
  check(fields(500))()
  assert.throws(check(fields(501)), { code: 'malformed_request', message: /at most 500 at once/ })
  check(`[${Array(10).fill(1)}]`, 10)()
  assert.throws(check(`[${Array(11).fill(1)}]`, 10), { code: 'malformed_request' })
  assert.throws(check('[{"a":1,"b":[1,2]},{}]', 4), { code: 'malformed_request' })
  assert.throws(check(`[${Array(2000).fill('{}')}]`, 1000), /at most 1,000 at once/)
})

test('the content of a text does not count', () => {
  check('{"a":",,,,[[[[{{{{\\",,,,\\\\"}', 1)()
  check('"[[[[[[[[[[[[[[[[[[[[[[[[[[[[["', 1)()
  check(`"${',\\"'.repeat(1000)}`, 1)()
})

test('20 levels pass, 21 do not', () => {
  check('['.repeat(20) + ']'.repeat(20))()
  check(`[${'{"a":[1]},'.repeat(100)}1]`)()
  assert.throws(check('['.repeat(21) + ']'.repeat(21)), /nested too deeply/)
  assert.throws(check('{"a":'.repeat(21)), /nested too deeply/)
})

test('names of 10,000 bytes pass, longer ones do not, and texts may be longer', () => {
  check(`{"${'x'.repeat(9999)}":"${'x'.repeat(20_000)}"}`)()
  assert.throws(check(`{"${'x'.repeat(10_001)}" :1}`), /field name of more than 10,000 bytes/)
})

test('5,000,000 escapes pass, one more does not', () => {
  check(`["${'\\n'.repeat(4_999_999)}","\\u0436"]`)()
  assert.throws(check(`["${'\\n'.repeat(5_000_000)}","\\u0436"]`), /more than 5,000,000 escaped characters/)
})
