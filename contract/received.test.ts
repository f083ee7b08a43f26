import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withLanguage } from './language.ts'
import type { PayoutPayee } from './payouts.ts'
import { receivedInWords } from './received.ts'

const all: PayoutPayee = { amount: 92_10, currency: 'eur', rate: 0.921, fee: 61, feeCurrency: 'usd' }
const describeReceived = (payee: Partial<PayoutPayee> | null, currency = 'usd') =>
  receivedInWords({ currency, payee: payee && { ...all, ...payee } })

test('what a payee got is said with its rate and fee, as far as the provider told it', () => {
  assert.equal(describeReceived({}), '€92.10 at 0.921, fee $0.61')
  assert.equal(describeReceived({ fee: null, feeCurrency: null }), '€92.10 at 0.921')
  assert.equal(describeReceived({ rate: null }), '€92.10, fee $0.61')
  assert.equal(describeReceived({ amount: 9210, currency: 'jpy', fee: 0 }), '¥9,210 at 0.921')
  const german = (rate: number) => withLanguage('de', () => describeReceived({ rate, fee: null }))
  // a point would group thousands there
  assert.match(german(1.085)!, /1,085$/)
  assert.match(german(15234.5)!, /15234,5$/)
  assert.match(describeReceived({ rate: 0.00000021, fee: null })!, / at 0\.00000021$/)
  for (const nothing of [null, { amount: null }, { currency: null }]) assert.equal(describeReceived(nothing), null)
  assert.equal(describeReceived({}, 'eur'), null, 'in the account’s own currency the amount says it')
})
