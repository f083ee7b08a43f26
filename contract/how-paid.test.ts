import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HowPaid, howPaidInWords } from './how-paid.ts'

const account: HowPaid = {
  ...{ kinds: [], paydays: { every: 'day' }, automatic: false },
  ...{ payoutDelay: 0, minimumPayout: 0, currency: 'usd' },
}
const describeHowPaid = (more: Partial<HowPaid>) => howPaidInWords({ ...account, ...more })
const destination = (kinds: HowPaid['kinds']) => describeHowPaid({ kinds }).at(-1)

test('delay, minimum, paydays and what is paid to are said in this order', () => {
  assert.deepEqual(describeHowPaid({}), [
    'Commissions are due on the day of the sale.',
    'Each payout is approved by a person.',
  ])
  const month = { every: 'month', days: [1, 15] } as const
  assert.deepEqual(
    describeHowPaid({
      ...{ payoutDelay: 30, minimumPayout: 50_00, currency: 'eur', automatic: true, kinds: ['us-bank'] },
      paydays: { ...month, days: [...month.days] },
    }),
    [
      'Commissions are due 30 days after the sale.',
      'You are paid once at least €50.00 is due.',
      'Payouts are made automatically on the 1st and the 15th of each month.',
      'Payouts go to a bank account in the United States.',
    ],
  )
})

test('a bank account anywhere says more than those of single places', () => {
  assert.equal(destination(['us-bank', 'iban', 'local-bank']), 'Payouts go to a bank account in most countries.')
  assert.equal(
    destination(['us-bank', 'iban', 'local-bank', 'paypal']),
    'Payouts go to a bank account in most countries or a PayPal account.',
  )
  assert.equal(
    destination(['us-bank', 'iban', 'paypal']),
    'Payouts go to a bank account in the United States, a euro bank account or a PayPal account.',
  )
})
