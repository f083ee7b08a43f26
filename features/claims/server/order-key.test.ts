import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdsOrder, orderIdSpellings, toOrderKey } from './order-key.ts'

test('an order ID is the same in any case, and with or without a number sign', () => {
  for (const id of ['#A-1001', ' a-1001 ', '# a-1001', 'A-1001']) assert.equal(toOrderKey(id), 'a-1001', id)
  assert.notEqual(toOrderKey('a-1001'), toOrderKey('a1001'))
  assert.equal(toOrderKey('##'), '#')
  for (const spelled of ['A-1001', 'a-1001', '#A-1001', '#a-1001'])
    assert.ok(orderIdSpellings('#a-1001').includes(spelled))
})

test('a text names an order only as a whole word', () => {
  assert.ok(holdsOrder('Order #1001', '1001'))
  assert.ok(holdsOrder('10012, 1001.', '#1001'))
  assert.ok(!holdsOrder('Order 10012', '1001'))
  assert.ok(!holdsOrder('Order 31001', '1001'))
  assert.ok(!holdsOrder('pi_1001', '1001'))
})
