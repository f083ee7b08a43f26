import { Link } from '@tanstack/react-router'
import { formatNumber } from '#contract/format.ts'
import type { Partner } from '#contract/partners.ts'
import type { HistoricalStats, PartnerHistoricalStats } from '#contract/stats.ts'
import { formatMoney } from '../../format.ts'
import { sumPeriods } from '../../shared/history.ts'
import { type BehindOnLeads, leadsBehind, revenueBehind, salesBehind } from '../../shared/lists-behind.ts'
import { changesIn } from '../../ui/change.ts'
import { HistoryChart } from '../../ui/charts.tsx'
import type { DateRangeState } from '../../ui/DateRange.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { statsWords } from '../../words/stats.ts'
import { Funnel } from './Funnel.tsx'

type Answer = {
  data: PartnerHistoricalStats | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
}
type Props = {
  partner: Partner
  range: DateRangeState
  answer: Answer
  /** Figures of the period that the range is compared with. */
  before: HistoricalStats | undefined
}

/** A partner's results for the chosen range, for the owner: figures and the funnel from click to sale. */
export function Figures({ partner, range, answer, before }: Props) {
  const { data } = answer
  if (!data) {
    return (
      <Panel>
        <Pending answer={answer} rows={6} />
      </Panel>
    )
  }
  const sums = sumPeriods(data)
  return (
    <>
      <StatStrip
        label={partnerWords.detail.figures({ name: partner.displayName })}
        stats={cardsOf(sums, before && sumPeriods(before), data, partner.id)}
      />
      <Funnel clicks={sums.clicks} leads={sums.leads} sales={sums.sales} />
      <HistoryChart
        heading={partnerWords.detail.revenueAndShare}
        kind="line"
        history={data}
        today={range.today}
        series={[
          { key: 'salesRevenue', label: fieldWords.revenue, color: 'revenue' },
          { key: 'salesRevenueShare', label: statsWords.share, color: 'share' },
        ]}
      />
    </>
  )
}

type Sums = ReturnType<typeof sumPeriods>

/**
 * Returns this partner's results, each with a link to the list that adds up to it. Their share includes commission on
 * sub-partners' sales.
 */
function cardsOf(sums: Sums, before: Sums | undefined, history: HistoricalStats, partnerId: string): Stat[] {
  const { currency } = history
  const scope = { partnerId }
  const to = (search: BehindOnLeads) => (label: string) => (
    <Link to="/leads" search={search}>
      {label}
    </Link>
  )
  const changed = changesIn(currency)
  const change = (kind: keyof Sums, neutral = false) => changed(sums[kind], before?.[kind], neutral)
  return [
    {
      label: fieldWords.leads,
      value: formatNumber(sums.leads),
      wrap: to(leadsBehind(history, scope)),
      ...change('leads'),
    },
    {
      label: fieldWords.sales,
      value: formatNumber(sums.sales),
      wrap: to(salesBehind(history, scope)),
      ...change('sales'),
    },
    {
      label: fieldWords.revenue,
      value: formatMoney(sums.revenue ?? 0, currency),
      wrap: to(revenueBehind(history, scope)),
      ...change('revenue'),
    },
    { label: statsWords.share, value: formatMoney(sums.share, currency), ...change('share', true) },
  ]
}
