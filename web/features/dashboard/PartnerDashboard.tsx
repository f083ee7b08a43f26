import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { HistoricalStats, PartnerHistoricalStats } from '#contract/stats.ts'
import { formatCount, formatMoney, formatZone } from '../../format.ts'
import { partnerAssets } from '../../shared/assets.ts'
import { EarningsChart } from '../../shared/EarningsChart.tsx'
import { sumOf } from '../../shared/history.ts'
import { leadsBehind } from '../../shared/lists-behind.ts'
import { partner, partnerHistory } from '../../shared/queries.ts'
import { YourTerms } from '../../shared/YourTerms.tsx'
import { useAccount } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { changesIn } from '../../ui/change.ts'
import { WaitingChart } from '../../ui/charts.tsx'
import { DateRangePicker, type DateRangeState, useDateRange } from '../../ui/DateRange.tsx'
import { comparedWith } from '../../ui/date-ranges.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { Failed, Panel } from '../../ui/Panel.tsx'
import { type Stat, StatStrip, WaitingStats } from '../../ui/StatStrip.tsx'
import { dashboardWords } from '../../words/dashboard.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import { statsWords } from '../../words/stats.ts'
import { Beside } from './Beside.tsx'
import { Coming } from './Coming.tsx'
import { Earned } from './Earned.tsx'
import { CountChart, DownloadHistory } from './History.tsx'
import { YourLinks } from './YourLinks.tsx'
import { YourPromotionCodes } from './YourPromotionCodes.tsx'

const News = lazyPart(async () => (await import('./News.tsx')).News)
const YourAssets = lazyPart(async () => (await import('./YourAssets.tsx')).YourAssets)

type Props = { partnerId: string; heading?: string }

export function PartnerDashboard({ partnerId, heading = pageWords.dashboard }: Props) {
  const { timeZone } = useAccount()
  const self = useQuery(partner(partnerId)).data
  const assets = useQuery(partnerAssets(partnerId)).data?.items ?? []
  const range = useDateRange(timeZone)
  const answer = useQuery(partnerHistory(partnerId, range))
  return (
    <Page
      heading={heading}
      badge={<ProgramName />}
      actions={
        <>
          <DateRangePicker range={range} />
          <DownloadHistory history={answer.data} />
        </>
      }
    >
      <Earned partnerId={partnerId} />
      <Coming partnerId={partnerId} />
      {self && <YourTerms partner={self} />}
      <News partnerId={partnerId} />
      <YourLinks partnerId={partnerId} state={self?.state} />
      <YourPromotionCodes partnerId={partnerId} />
      {assets.length > 0 && <YourAssets assets={assets} />}
      <History partnerId={partnerId} range={range} answer={answer} />
      <p className="muted small">{dashboardWords.note({ timeZone: formatZone(timeZone) })}</p>
    </Page>
  )
}

type HistoryProps = {
  partnerId: string
  range: DateRangeState
  answer: UseQueryResult<PartnerHistoricalStats>
}

function History({ partnerId, range, answer }: HistoryProps) {
  const { data, error, refetch, isFetching, isPlaceholderData } = answer
  const before = useQuery(partnerHistory(partnerId, comparedWith(range)))
  if (!data) {
    return error ? (
      <Panel>
        <Failed onRetry={refetch} busy={isFetching} why={error.message} />
      </Panel>
    ) : (
      <div className="stack">
        <WaitingStats count={5} compared />
        <Beside wideFirst>
          <WaitingChart heading={statsWords.revenueAndEarnings} />
          <WaitingChart heading={dashboardWords.clicksChart} />
        </Beside>
      </div>
    )
  }
  const sums = sumOf(data)
  return (
    <div className="stack" data-dimmed={isPlaceholderData || undefined} aria-busy={isFetching}>
      <StatStrip
        label={dashboardWords.yourFigures}
        stats={figuresOf(sums, before.isPlaceholderData ? undefined : before.data && sumOf(before.data), data, range)}
      />
      <Beside wideFirst>
        <EarningsChart history={data} today={range.today} />
        <CountChart clicks history={data} today={range.today} />
      </Beside>
    </div>
  )
}

type Sums = ReturnType<typeof sumOf>

function figuresOf(now: Sums, before: Sums | undefined, history: HistoricalStats, range: DateRangeState): Stat[] {
  const { currency } = history
  const toLeads = (label: string) => (
    <Link to="/leads" search={leadsBehind(history)}>
      {label}
    </Link>
  )
  const changed = changesIn(range, currency)
  const change = (key: keyof Sums) => changed(now[key], before?.[key])
  const revenue: Stat[] =
    now.revenue === null
      ? []
      : [{ label: fieldWords.revenue, value: formatMoney(now.revenue, currency), ...change('revenue') }]
  return [
    { label: fieldWords.clicks, value: formatCount(now.clicks), ...change('clicks') },
    { label: fieldWords.leads, value: formatCount(now.leads), wrap: toLeads, ...change('leads') },
    { label: fieldWords.sales, value: formatCount(now.sales), ...change('sales') },
    ...revenue,
    { label: statsWords.earnings, value: formatMoney(now.share, currency), ...change('share') },
  ]
}
