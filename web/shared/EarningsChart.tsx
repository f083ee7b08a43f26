import type { PartnerHistoricalStats } from '#contract/stats.ts'
import { HistoryChart, type Series } from '../ui/charts.tsx'
import { fieldWords } from '../words/fields.ts'
import { statsWords } from '../words/stats.ts'

type Props = { history: PartnerHistoricalStats; today: string }

/** A partner's own earnings over time. Earnings from sub-partners' sales are a separate series if there are any. */
export function EarningsChart({ history, today }: Props) {
  const deltas = history.deltas.map((delta) => ({
    ...delta,
    ownShare: delta.salesRevenueShare - delta.subPartnersShare,
  }))
  const earned: Series[] = deltas.some(({ subPartnersShare }) => subPartnersShare !== 0)
    ? [
        { key: 'ownShare', label: statsWords.ownEarnings, color: 'share' },
        { key: 'subPartnersShare', label: statsWords.subPartnersEarnings, color: 'profit' },
      ]
    : [{ key: 'salesRevenueShare', label: statsWords.earnings, color: 'share' }]
  const seesRevenue = deltas.some(({ salesRevenue }) => salesRevenue !== null)
  return (
    <HistoryChart
      heading={seesRevenue ? statsWords.revenueAndEarnings : statsWords.earnings}
      kind="line"
      history={{ ...history, deltas }}
      today={today}
      series={[{ key: 'salesRevenue', label: fieldWords.revenue, color: 'revenue' }, ...earned]}
    />
  )
}
