import type { HistoricalStats } from '#contract/stats.ts'

const DAY_MS = 86_400_000

/** The equal number of days right before `range`; both YYYY-MM-DD, inclusive. */
export function daysBefore({ from, to }: { from: string; to: string }) {
  const start = Date.parse(from)
  const length = Date.parse(to) - start + DAY_MS
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: day(start - length), to: day(start - DAY_MS) }
}

/** The figures of all periods together. */
export function sumOf({ deltas }: HistoricalStats) {
  const sum = (of: (delta: HistoricalStats['deltas'][number]) => number | null) =>
    deltas.reduce((total, delta) => total + (of(delta) ?? 0), 0)
  return {
    clicks: sum(({ numberOfClicks }) => numberOfClicks),
    leads: sum(({ numberOfLeads }) => numberOfLeads),
    sales: sum(({ numberOfSales }) => numberOfSales),
    revenue: sum(({ salesRevenue }) => salesRevenue),
    share: sum(({ salesRevenueShare }) => salesRevenueShare),
  }
}
