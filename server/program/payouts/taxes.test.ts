import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../test/support/model-test.ts'
import type { InvoiceTerms } from '../invoicing/details.ts'
import { taxOn } from '../invoicing/treatment.ts'
import { amountWithin } from './taxes.ts'

const withRate = (rate: number) => ({ rate }) as InvoiceTerms

test('what left of a forgotten payout is its amount and its VAT again', () => {
  const { below, pick } = randomFrom(1)
  for (let turn = 0; turn < 5000; turn++) {
    const rate = pick([0, 5.5, 7, 7.7, 19, 20, 25, 30])
    const amount = 1 + below(turn < 2500 ? 500 : 100_000_00)
    const taxAmount = taxOn(amount, rate)
    assert.deepEqual(amountWithin(amount + taxAmount, withRate(rate)), { amount, taxAmount }, `${rate} % of ${amount}`)
  }
  // no amount has a VAT of 25 % that makes 2
  assert.deepEqual(amountWithin(3, withRate(25)), { amount: 2, taxAmount: 1 })
  assert.deepEqual(amountWithin(2, withRate(25)), { amount: 2, taxAmount: 0 })
  assert.deepEqual(amountWithin(119_00, null), { amount: 119_00, taxAmount: 0 })
})
