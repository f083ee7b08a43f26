import { decimalAmount } from '#contract/money.ts'
import type { HistoricalStats } from '#contract/stats.ts'

type Delta = HistoricalStats['deltas'][number]

/** The figures of all periods together; revenue is null to whoever may not see it. */
export function sumOf({ deltas }: HistoricalStats) {
  const sum = (of: (delta: Delta) => number | null) => deltas.reduce((total, delta) => total + (of(delta) ?? 0), 0)
  const seesRevenue = deltas.some(({ salesRevenue }) => salesRevenue !== null)
  return {
    clicks: sum(({ numberOfClicks }) => numberOfClicks),
    leads: sum(({ numberOfLeads }) => numberOfLeads),
    sales: sum(({ numberOfSales }) => numberOfSales),
    revenue: seesRevenue ? sum(({ salesRevenue }) => salesRevenue) : null,
    share: sum(({ salesRevenueShare }) => salesRevenueShare),
  }
}

const columns = [
  'date',
  'numberOfPartners',
  'numberOfLeads',
  'numberOfSales',
  'salesRevenue',
  'salesRevenueShare',
  'salesProfit',
] as const

/**
 * A row a period, as the product's other CSV files are: a header of field names, money as plain decimals, absent empty.
 * What the reader may not see in any period has no column.
 */
export function historyCsv({ deltas, currency }: HistoricalStats) {
  const shown = columns.filter((column) => deltas.some((delta) => delta[column] !== null))
  const cell = (delta: Delta, column: (typeof columns)[number]) => {
    const value = delta[column]
    if (value === null) return ''
    return column.startsWith('sales') ? decimalAmount(Number(value), currency) : String(value)
  }
  const rows = deltas.map((delta) => [...shown.map((column) => cell(delta, column)), currency].join(','))
  return `\ufeff${[[...shown, 'currency'].join(','), ...rows].join('\r\n')}\r\n`
}
