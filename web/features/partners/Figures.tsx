import type { Partner } from '#contract/partners.ts'
import type { HistoricalStats } from '#contract/stats.ts'
import { formatChange, formatCount, formatMoney } from '../../format.ts'
import { Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { t } from '../../words.ts'
import { Funnel } from './Funnel.tsx'
import { sumOf } from './figures.ts'

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
        stats={cardsOf(sums, before && sumOf(before), data.currency)}
      />
      <Funnel clicks={sums.clicks} leads={sums.leads} sales={sums.sales} />
    </>
  )
}

type Sums = ReturnType<typeof sumOf>

function cardsOf(now: Sums, before: Sums | undefined, currency: string): Stat[] {
  const change = (kind: keyof Sums, neutral = false): Pick<Stat, 'note' | 'trend'> => {
    if (!before) return {}
    const trend = neutral || now[kind] === before[kind] ? undefined : now[kind] > before[kind] ? 'up' : 'down'
    return { note: formatChange(now[kind], before[kind], t('stats.new')), trend }
  }
  return [
    { label: t('stats.leads'), value: formatCount(now.leads), ...change('leads') },
    { label: t('stats.sales'), value: formatCount(now.sales), ...change('sales') },
    { label: t('stats.revenue'), value: formatMoney(now.revenue, currency), ...change('revenue') },
    { label: t('stats.share'), value: formatMoney(now.share, currency), ...change('share', true) },
  ]
}
