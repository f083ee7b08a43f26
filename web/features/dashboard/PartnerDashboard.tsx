import { useMediaQuery } from '@mantine/hooks'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { PartnerLink } from '#contract/links.ts'
import type { Balance } from '#contract/partners.ts'
import type { HistoricalStats } from '#contract/stats.ts'
import { formatChange, formatCount, formatDate, formatMoney } from '../../format.ts'
import { sumOf } from '../../history.ts'
import { type DateRange, previousRange } from '../../ranges.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { HistoryChart } from '../../ui/charts.tsx'
import { DateRangePicker, useDateRange } from '../../ui/DateRange.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { Table } from '../../ui/Table.tsx'
import { t } from '../../words.ts'
import { useAccount } from '../shell/current.ts'
import styles from './Dashboard.module.css'
import { CountChart, DownloadHistory } from './History.tsx'
import { balance, partnerHistory, partnerLinks } from './queries.ts'

export function PartnerDashboard({ partnerId }: { partnerId: string }) {
  const { timeZone } = useAccount()
  const range = useDateRange(timeZone)
  const answer = useQuery(partnerHistory(partnerId, range))
  return (
    <Page
      heading={t('pages.dashboard')}
      actions={
        <>
          <DateRangePicker range={range} />
          <DownloadHistory history={answer.data} />
        </>
      }
    >
      <Money partnerId={partnerId} />
      <YourLinks partnerId={partnerId} />
      <History partnerId={partnerId} range={range} answer={answer} />
      <p className={styles.note}>{t('dashboard.note', { timeZone })}</p>
    </Page>
  )
}

type HistoryProps = {
  partnerId: string
  range: DateRange
  answer: UseQueryResult<HistoricalStats>
}

function History({ partnerId, range, answer }: HistoryProps) {
  const { data, error, refetch, isFetching, isPlaceholderData } = answer
  const before = useQuery(partnerHistory(partnerId, previousRange(range)))
  if (!data) {
    return (
      <Panel>
        {error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={6} />}
      </Panel>
    )
  }
  const sums = sumOf(data)
  return (
    <div className={styles.figures} data-dimmed={isPlaceholderData || undefined} aria-busy={isFetching}>
      <StatStrip
        label={t('dashboard.yourFigures')}
        stats={figuresOf(sums, before.isPlaceholderData ? undefined : before.data && sumOf(before.data), data.currency)}
      />
      <div className={styles.wideFirst}>
        <HistoryChart
          heading={t(sums.revenue === null ? 'dashboard.ownEarningsChart' : 'dashboard.earningsChart')}
          kind="line"
          history={data}
          series={[
            { key: 'salesRevenue', label: t('stats.revenue'), color: 'revenue' },
            { key: 'salesRevenueShare', label: t('stats.earnings'), color: 'share' },
          ]}
        />
        <CountChart history={data} />
      </div>
    </div>
  )
}

type Sums = ReturnType<typeof sumOf>

function figuresOf(now: Sums, before: Sums | undefined, currency: string): Stat[] {
  const change = (key: keyof Sums): Pick<Stat, 'note' | 'trend'> => {
    const [value, last] = [now[key] ?? 0, before?.[key] ?? 0]
    if (!before) return {}
    return {
      note: formatChange(value, last, t('stats.new')),
      trend: value === last ? undefined : value > last ? 'up' : 'down',
    }
  }
  const revenue: Stat[] =
    now.revenue === null
      ? []
      : [{ label: t('stats.revenue'), value: formatMoney(now.revenue, currency), ...change('revenue') }]
  return [
    { label: t('stats.leads'), value: formatCount(now.leads), ...change('leads') },
    { label: t('stats.sales'), value: formatCount(now.sales), ...change('sales') },
    ...revenue,
    { label: t('stats.earnings'), value: formatMoney(now.share, currency), ...change('share') },
  ]
}

function Money({ partnerId }: { partnerId: string }) {
  const { data, error, refetch, isFetching } = useQuery(balance(partnerId))
  if (data) return <StatStrip label={t('stats.money')} stats={moneyOf(data)} />
  return (
    <Panel>{error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={2} />}</Panel>
  )
}

function moneyOf({ held, onHold, due, inPayout, paid, currency, nextPayoutDate, blockers }: Balance): Stat[] {
  const money = (amount: number) => formatMoney(amount, currency)
  const blocker = blockers[0]
  return [
    { label: t('stats.earned'), value: money(held + onHold + due + inPayout + paid), note: t('stats.allTime') },
    { label: t('stats.held'), value: money(held + onHold), note: t('stats.heldWhy') },
    { label: t('stats.due'), value: money(due + inPayout), note: t('stats.dueWhy') },
    { label: t('stats.paid'), value: money(paid), note: t('stats.paidWhy') },
    {
      label: t('stats.nextPayout'),
      value: nextPayoutDate ? formatDate(nextPayoutDate) : t('absent'),
      note: blocker?.message ?? (nextPayoutDate ? t('stats.scheduled') : t('stats.nothingDue')),
      warns: Boolean(blocker),
    },
  ]
}

function YourLinks({ partnerId }: { partnerId: string }) {
  const { data, error, refetch, isFetching } = useQuery(partnerLinks(partnerId))
  const wide = useMediaQuery('(min-width: 768px)', true, { getInitialValueInEffect: false })
  return (
    <Panel heading={t('dashboard.yourLinks')} aside={wide && <small>{t('dashboard.yourLinksHelp')}</small>}>
      {error && !data && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {!error && !data && <Skeleton rows={3} />}
      {data?.items.length === 0 && <Empty hint={t('dashboard.noOwnLinks')} />}
      {data && data.items.length > 0 && (wide ? <LinkTable links={data.items} /> : <LinkCards links={data.items} />)}
    </Panel>
  )
}

/** An address as it is read: without its scheme. */
const shown = (url: string) => url.replace(/^https?:\/\//, '')

function LinkTable({ links }: { links: PartnerLink[] }) {
  return (
    <Table
      label={t('dashboard.yourLinks')}
      rows={links}
      keyOf={({ blueprintId }) => blueprintId}
      columns={[
        { head: t('columns.link'), cell: ({ name }) => name },
        { head: t('columns.address'), cell: ({ url }) => <code className={styles.address}>{shown(url)}</code> },
        { head: t('columns.clicks'), numeric: true, cell: ({ clicks }) => formatCount(clicks) },
        { head: t('columns.leads'), numeric: true, cell: ({ leads }) => formatCount(leads) },
        { head: t('columns.sales'), numeric: true, cell: ({ sales }) => formatCount(sales) },
        { head: t('columns.copy'), headHidden: true, numeric: true, cell: (link) => <CopyLink link={link} /> },
      ]}
    />
  )
}

function LinkCards({ links }: { links: PartnerLink[] }) {
  return (
    <ul className={styles.cards}>
      {links.map((link) => (
        <li key={link.blueprintId}>
          <div>
            <strong>{link.name}</strong>
            <code className={styles.address}>{shown(link.url)}</code>
            <small>
              {t('dashboard.linkFigures', {
                clicks: formatCount(link.clicks),
                leads: formatCount(link.leads),
                sales: formatCount(link.sales),
              })}
            </small>
          </div>
          <CopyLink link={link} />
        </li>
      ))}
    </ul>
  )
}

/** Copies the short address, whose clicks are counted. */
const CopyLink = ({ link }: { link: PartnerLink }) => (
  <CopyButton small value={link.shortUrl} label={t('actions.copyLink', { name: link.name })} />
)
