import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysBefore, sumOf } from './figures.ts'

test('the days before are as many and end the day before', () => {
  assert.deepEqual(daysBefore({ from: '2026-05-21', to: '2026-11-20' }), { from: '2025-11-18', to: '2026-05-20' })
  assert.deepEqual(daysBefore({ from: '2024-03-01', to: '2024-03-01' }), { from: '2024-02-29', to: '2024-02-29' })
})

test('a range is the sum of its periods', () => {
  const delta = { date: '2026-01-01', numberOfPartners: 0, numberOfLeads: 2, numberOfSales: 1, numberOfClicks: 40 }
  const money = { salesRevenue: 100_00, salesRevenueShare: 10_00, salesProfit: 90_00 }
  const sums = sumOf({
    startDate: '2026-01-01',
    endDate: '2026-02-28',
    period: 'month',
    currency: 'usd',
    deltas: [
      { ...delta, ...money },
      { ...delta, date: '2026-02-01', numberOfClicks: 2, ...money, salesRevenue: -25_00, salesRevenueShare: -2_50 },
    ],
  })
  assert.deepEqual(sums, { clicks: 42, leads: 4, sales: 2, revenue: 75_00, share: 7_50 })
})
