import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Payout } from '#contract/payouts.ts'
import { reasonOf, wordsOf } from './words.ts'

const shown = (more: Partial<Payout>) =>
  ({
    ...{ statementNumber: 12, partnerName: 'Jane Whitfield', status: 'approved', method: 'manual' },
    ...{ amount: 100_00, taxAmount: 0, payAmount: 100_00, currency: 'eur', blockers: [], ...more },
  }) as Payout
const withVat = { taxAmount: 19_00, payAmount: 119_00 }

test('what a person pays manually is named with its VAT', () => {
  assert.equal(reasonOf(shown({}), 'UTC'), 'Pay it manually, then mark it as paid')
  assert.equal(reasonOf(shown(withVat), 'UTC'), 'Pay €119.00 with VAT manually, then mark it as paid')
  assert.equal(wordsOf(shown(withVat)).amount, '€119.00')
})
