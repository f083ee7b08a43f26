import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationLabel, standingInWords, statementTotals } from './statement.ts'

const amounts = { amount: 100_00, taxAmount: 0, payAmount: 100_00 }
const totals = (payout: typeof amounts, numberOfEntries = 1) =>
  statementTotals({ payout, numberOfEntries }).map(({ label, amount }) => `${label} ${amount}`)

test('the totals of a statement are those of its entries, with the VAT that is paid beside them', () => {
  assert.deepEqual(totals(amounts), ['Total 10000'])
  assert.deepEqual(totals({ amount: 100_00, taxAmount: 19_00, payAmount: 119_00 }), [
    'Total 10000',
    'VAT 1900',
    'With VAT 11900',
  ])
  assert.deepEqual(totals(amounts, 0), ['Total 0'], 'canceled before it was approved')
})

test('a payment by PayPal says where it goes, and until when it waits', () => {
  const day = (date: string) => `day ${date}`
  const paypal = { kind: 'paypal', country: null, currency: 'usd', hint: null } as const
  assert.equal(destinationLabel({ destination: paypal }), 'PayPal account')
  assert.equal(destinationLabel({ destination: null }), 'Bank account')
  assert.match(
    standingInWords({ status: 'sent', claimBy: '2026-12-20' }, day),
    /claimed in PayPal by day 2026-12-20\.$/,
  )
  assert.match(standingInWords({ status: 'sent', claimBy: null }, day), /arrives within a few business days/)
})
