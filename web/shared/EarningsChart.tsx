import type { PartnerHistoricalStats } from '#contract/stats.ts'
import { HistoryChart, type Series } from '../ui/charts.tsx'
import { t } from '../words.ts'

type Props = { history: PartnerHistoricalStats; today: string }

/** A partner's own earnings over time. Earnings from sub-partners' sales are a separate series if there are any. */
export function EarningsChart({ history, today }: Props) {
  const deltas = history.deltas.map((delta) => ({
    ...delta,
    ownShare: delta.salesRevenueShare - delta.subPartnersShare,
  }))
  const earned: Series[] = deltas.some(({ subPartnersShare }) => subPartnersShare !== 0)
    ? [
        { key: 'ownShare', label: t('stats.ownEarnings'), color: 'share' },
        { key: 'subPartnersShare', label: t('stats.subPartnersEarnings'), color: 'profit' },
      ]
    : [{ key: 'salesRevenueShare', label: t('stats.earnings'), color: 'share' }]
  const seesRevenue = deltas.some(({ salesRevenue }) => salesRevenue !== null)
  return (
    <HistoryChart
      heading={t(seesRevenue ? 'stats.revenueAndEarnings' : 'stats.earnings')}
      kind="line"
      history={{ ...history, deltas }}
      today={today}
      series={[{ key: 'salesRevenue', label: t('stats.revenue'), color: 'revenue' }, ...earned]}
    />
  )
}
