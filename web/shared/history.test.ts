import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoricalStats } from '#contract/stats.ts'
import { historyCsv, sumPeriods } from './history.ts'

const delta = (date: string, sales: number, salesRevenue: number | null, salesProfit: number | null) => ({
  date,
  numberOfPartners: 1,
  numberOfLeads: 2,
  numberOfSales: sales,
  salesRevenue,
  salesRevenueShare: 5_05,
  salesProfit,
  numberOfClicks: 9,
})

const history = (deltas: HistoricalStats['deltas'], currency = 'usd'): HistoricalStats => ({
  startDate: '2026-10-01',
  endDate: '2026-11-20',
  period: 'month',
  currency,
  deltas,
})

test('one row per period, money as plain decimals', () => {
  const file = historyCsv(history([delta('2026-10-01', 3, 100_50, 95_45), delta('2026-11-01', 0, -20_00, -25_05)]))
  assert.equal(
    file,
    '\ufeffdate,numberOfPartners,numberOfLeads,numberOfSales,salesRevenue,salesRevenueShare,salesProfit,numberOfClicks,currency\r\n' +
      '2026-10-01,1,2,3,100.50,5.05,95.45,9,usd\r\n' +
      '2026-11-01,1,2,0,-20.00,5.05,-25.05,9,usd\r\n',
  )
})

test('currencies without decimals show none, and values hidden from a partner have no column', () => {
  const file = historyCsv(history([delta('2026-10-01', 3, null, null)], 'jpy'))
  assert.match(file, /numberOfSales,salesRevenueShare,numberOfClicks,currency\r\n2026-10-01,1,2,3,505,9,jpy\r\n$/)
})

test('earnings from sub-partners have their own column', () => {
  const whole = history([delta('2026-10-01', 3, 100_50, null)])
  const deltas = whole.deltas.map((one) => ({ ...one, subPartnersShare: 1_05 }))
  assert.match(
    historyCsv({ ...whole, deltas }),
    /salesRevenue,salesRevenueShare,subPartnersShare,numberOfClicks,currency\r\n2026-10-01,1,2,3,100\.50,5\.05,1\.05,9,usd\r\n$/,
  )
})

test('the figures of a range are the sums of its periods', () => {
  const sums = sumPeriods(history([delta('2026-10-01', 3, 100_50, 0), delta('2026-11-01', 4, -20_00, 0)]))
  assert.deepEqual(sums, { clicks: 18, leads: 4, sales: 7, revenue: 80_50, share: 10_10 })
  assert.equal(sumPeriods(history([delta('2026-10-01', 3, null, null)])).revenue, null)
})
