import { decimalAmount } from '#contract/money.ts'
import type { HistoricalStats, PartnerHistoricalStats } from '#contract/stats.ts'

type Delta = HistoricalStats['deltas'][number]

/** Sums the figures of all periods; revenue is null for a reader who may not see it. */
export function sumPeriods({ deltas }: HistoricalStats) {
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
  'subPartnersShare',
  'salesProfit',
  'numberOfClicks',
] as const
const amounts: readonly string[] = ['salesRevenue', 'salesRevenueShare', 'subPartnersShare', 'salesProfit']

/**
 * Returns one row per period in the format of the product's other CSV files: a header of field names, money as plain
 * decimals, absent values empty. A figure the reader may not see in any period has no column.
 */
export function historyCsv({ deltas, currency }: HistoricalStats | PartnerHistoricalStats) {
  const rows: Partial<Record<(typeof columns)[number], string | number | null>>[] = deltas
  const shown = columns.filter((column) => rows.some((row) => (row[column] ?? null) !== null))
  const cell = (row: (typeof rows)[number], column: (typeof columns)[number]) => {
    const value = row[column] ?? null
    if (value === null) return ''
    return amounts.includes(column) ? decimalAmount(Number(value), currency) : String(value)
  }
  const lines = rows.map((row) => [...shown.map((column) => cell(row, column)), currency].join(','))
  return `\ufeff${[[...shown, 'currency'].join(','), ...lines].join('\r\n')}\r\n`
}
