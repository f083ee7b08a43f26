import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entry, sale } from '#contract/examples/objects.ts'
import { computeShare } from './share.ts'

const of = (baseAmount: number | null, percent: number, amount: number, currency = 'usd') =>
  computeShare({
    entry: { ...entry, kind: 'earned', baseAmount, amount, currency },
    rate: { percent, source: 'account', layer: 0 },
    sale,
  })

test('an amount is its rate of the base, with its rounding', () => {
  assert.deepEqual(of(100_00, 20, 20_00), { kind: 'exact' })
  assert.deepEqual(of(12_35, 10, 1_24), { kind: 'rounded', exact: '1.235' })
  assert.deepEqual(of(99_99, 33.3333, 33_33), { kind: 'rounded', exact: '33.32996667' })
  assert.deepEqual(of(1, 10, 0), { kind: 'rounded', exact: '0.001' })
  assert.deepEqual(of(333, 10, 33, 'jpy'), { kind: 'rounded', exact: '33.3' })
  assert.deepEqual(of(999_999_999_999, 99.9999, 999_998_999_999), { kind: 'rounded', exact: '9999989999.99000001' })
})

test('an amount that differs from its rate says why', () => {
  assert.deepEqual(of(1, 50, 0), { kind: 'capped', exact: '0.005' })
  const given = { entry: { ...entry, kind: 'earned' as const, baseAmount: 30_00, amount: 10_01 } }
  const rate = { percent: 33.3667, source: null, layer: 0 }
  assert.deepEqual(computeShare({ ...given, rate, sale: { ...sale, provider: 'import' } }), { kind: 'given' })
})

test('nothing is calculated without a base, a rate or a sale', () => {
  assert.equal(of(null, 10, 1_00), null)
  assert.equal(computeShare({ entry: { ...entry, kind: 'adjustment' }, rate: null, sale: null }), null)
  const reversal = { ...entry, kind: 'reversal' as const, amount: -1_00 }
  assert.equal(computeShare({ entry: reversal, rate: { percent: 10, source: null, layer: 0 }, sale }), null)
})
