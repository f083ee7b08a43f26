import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '#contract/payouts.ts'
import { formatReason, howPaid, toPayoutValues } from './words.ts'

const shown = (more: Partial<Payout>) =>
  ({
    ...{ statementNumber: 12, partnerName: 'Jane Whitfield', status: 'approved', method: 'manual' },
    ...{ amount: 100_00, taxAmount: 0, payAmount: 100_00, currency: 'eur', blockers: [], ...more },
  }) as Payout
const withVat = { taxAmount: 19_00, payAmount: 119_00 }

test('what a person pays manually is named with its VAT', () => {
  assert.equal(formatReason(shown({}), 'UTC'), 'Pay it manually, then mark it as paid')
  assert.equal(formatReason(shown(withVat), 'UTC'), 'Pay €119.00 with VAT manually, then mark it as paid')
  assert.equal(toPayoutValues(shown(withVat)).amount, '€119.00')
})

test('a review names each way that the payouts are paid', () => {
  const paidBy = (...methods: Payout['method'][]) => howPaid(methods.map((method) => shown({ method })))
  assert.equal(paidBy('wise', 'wise'), 'Paid out by Wise, 1 business day')
  assert.equal(paidBy('manual'), 'You pay manually, then mark as paid')
  assert.equal(paidBy('wise', 'paypal', 'wise'), 'Paid out by Wise, 1 business day · Paid out by PayPal')
  assert.equal(paidBy('manual', 'sepa'), 'You pay by a payment file · You pay manually, then mark as paid')
})
