import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import type { HistoricalStats } from '#contract/stats.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { sumOf } from '../../history.ts'
import { changeOf } from '../../ui/change.ts'
import { HistoryChart } from '../../ui/charts.tsx'
import { leadsBehind } from '../../ui/counted-leads.ts'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { t } from '../../words.ts'
import { Funnel } from './Funnel.tsx'

type Answer = {
  data: HistoricalStats | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}
type Props = { partner: Partner; answer: Answer /** The equal period before. */; before: HistoricalStats | undefined }

/** What the partner brought in the days chosen: the cards and the way from click to sale. */
export function Figures({ partner, answer, before }: Props) {
  const { data, error, isFetching, refetch } = answer
  if (!data) {
    return (
      <Panel>
        {error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={6} />}
      </Panel>
    )
  }
  const sums = sumOf(data)
  return (
    <>
      <StatStrip
        label={t('partners.detail.figures', { name: partner.displayName })}
        stats={cardsOf(sums, before && sumOf(before), data, partner.id)}
      />
      <Funnel clicks={sums.clicks} leads={sums.leads} sales={sums.sales} />
      <HistoryChart
        heading={t('partners.detail.revenueAndShare')}
        kind="line"
        history={data}
        series={[
          { key: 'salesRevenue', label: t('stats.revenue'), color: 'revenue' },
          { key: 'salesRevenueShare', label: t('stats.share'), color: 'share' },
        ]}
      />
    </>
  )
}

type Sums = ReturnType<typeof sumOf>

function cardsOf(sums: Sums, before: Sums | undefined, history: HistoricalStats, partnerId: string): Stat[] {
  const { currency } = history
  const toLeads = (label: string) => (
    <Link to="/leads" search={leadsBehind(history, { partnerId }) as never}>
      {label}
    </Link>
  )
  const change = (kind: keyof Sums, neutral = false) => changeOf(sums[kind], before?.[kind], neutral)
  return [
    { label: t('stats.leads'), value: formatCount(sums.leads), wrap: toLeads, ...change('leads') },
    { label: t('stats.sales'), value: formatCount(sums.sales), ...change('sales') },
    { label: t('stats.revenue'), value: formatMoney(sums.revenue ?? 0, currency), ...change('revenue') },
    { label: t('stats.share'), value: formatMoney(sums.share, currency), ...change('share', true) },
  ]
}
