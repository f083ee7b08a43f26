import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommissionEntry } from '#contract/commissions.ts'
import { computeLosses, sumCommission, sumShares } from './layers.ts'

const jane = { partnerId: 'jane', partnerName: 'Jane', layer: 0, rate: 10 }
const sofia = { partnerId: 'sofia', partnerName: 'Sofia', layer: 1, rate: 5 }

const entry = (of: typeof jane, amount: number, status: CommissionEntry['status'] = 'held'): CommissionEntry => ({
  ...of,
  id: `${of.partnerId} ${amount}`,
  saleId: 'sale',
  leadId: null,
  paidFor: null,
  goalId: null,
  refundId: null,
  flat: null,
  rule: null,
  baseAmount: null,
  amount,
  currency: 'usd',
  kind: amount < 0 ? 'reversal' : 'earned',
  status,
  availableAt: '2026-12-20T05:00:00.000Z',
  payoutId: null,
  reason: null,
  createdAt: '2026-11-20T05:00:00.000Z',
})

const shown = (entries: CommissionEntry[]) =>
  sumShares(entries).map(({ layer, amount, status }) => [layer, amount, status])

test('reversals are subtracted in their layer', () => {
  const entries = [entry(sofia, 80_00), entry(jane, 160_00), entry(sofia, -20_00), entry(jane, -40_00)]
  assert.deepEqual(shown(entries), [
    [0, 120_00, 'held'],
    [1, 60_00, 'held'],
  ])
})

test('a reversal of a paid entry is a separate line, and all lines add up', () => {
  const entries = [entry(jane, 160_00, 'paid'), entry(jane, -40_00, 'due')]
  assert.deepEqual(shown(entries), [
    [0, 160_00, 'paid'],
    [0, -40_00, 'due'],
  ])
  assert.equal(sumCommission(entries), 120_00)
})

test('a fully refunded sale has nothing left to wait for; a void one says so', () => {
  assert.deepEqual(shown([entry(jane, 10_00), entry(jane, -10_00)]), [[0, 0, null]])
  assert.deepEqual(shown([entry(jane, 10_00, 'void'), entry(jane, -10_00, 'void')]), [[0, 0, 'void']])
})

test('a refund reduces every layer by its share, and the last by the remainder', () => {
  const entries = [entry(jane, 3_33), entry(sofia, 1_67)]
  const shown = (refundedAmount: number, commissions: CommissionEntry[], amount: number) =>
    computeLosses({ grossAmount: 40_00, refundedAmount, commissions }, amount).map((loss) => [
      loss.partnerName,
      loss.amount,
    ])
  assert.deepEqual(shown(0, entries, 10_00), [
    ['Jane', 83],
    ['Sofia', 42],
  ])
  const after = [...entries, entry(jane, -83), entry(sofia, -42)]
  assert.deepEqual(shown(10_00, after, 30_00), [
    ['Jane', 2_50],
    ['Sofia', 1_25],
  ])
  assert.deepEqual(shown(0, [], 10_00), [])
})

test('a share links to its earned entry', () => {
  const [share] = sumShares([entry(jane, -40_00), entry(jane, 160_00)])
  assert.equal(share?.entryId, 'jane 16000')
})
