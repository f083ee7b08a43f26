import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dashboard } from '#contract/dashboard.ts'
import { formatNumber } from '#contract/format.ts'
import type { Sale } from '#contract/sales.ts'
import { formatDate, formatMoney, formatZone } from '../../format.ts'
import { ToLead } from '../../shared/links.tsx'
import { leadsBehind, partnersBehind, revenueBehind, salesBehind } from '../../shared/lists-behind.ts'
import { MoneyLink, SaleMoneyLink } from '../../shared/MoneyLink.tsx'
import { areZero, SetRates } from '../../shared/SetRates.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { TestBadge } from '../../shared/TestBadge.tsx'
import { useAccount, useOwnAccount } from '../../shell/current.ts'
import { EntryPage } from '../../shell/EntryPage.tsx'
import { accountStatsQuery } from '../../shell/queries.ts'
import { changesIn } from '../../ui/change.ts'
import { WaitingChart } from '../../ui/charts.tsx'
import { DateRangePicker, type DateRangeState, useDateRange } from '../../ui/DateRange.tsx'
import { sameRange } from '../../ui/date-ranges.ts'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { type Stat, StatStrip, WaitingStats } from '../../ui/StatStrip.tsx'
import { basicWords } from '../../words/basic.ts'
import { zeroRateWords } from '../../words/commissions.ts'
import { dashboardWords } from '../../words/dashboard.ts'
import { fieldWords } from '../../words/fields.ts'
import { statsWords } from '../../words/stats.ts'
import { Attention, kinds as attentionKinds } from './Attention.tsx'
import { Checklist } from './Checklist.tsx'
import { Beside } from './DashboardAside.tsx'
import { CountChart, DownloadHistory, MoneyChart } from './History.tsx'
import { dashboardQuery } from './queries.ts'

export function OwnerDashboard() {
  const account = useAccount()
  const range = useDateRange(account.timeZone)
  const answer = useQuery(dashboardQuery(account.id, range))
  const { data, error, refetch, isFetching } = answer
  return (
    <EntryPage
      actions={
        <>
          <DateRangePicker compared range={range} />
          <DownloadHistory history={data?.history} />
        </>
      }
    >
      <ZeroRates />
      {data && <Checklist account={account} steps={data.checklist} />}
      {data && isEmpty(data) ? (
        <Panel>
          <Empty hint={dashboardWords.noneYet} />
        </Panel>
      ) : data ? (
        <div className="stack" data-dimmed={answer.isPlaceholderData || undefined} aria-busy={isFetching}>
          <Figures data={data} account={account} range={range} />
        </div>
      ) : error ? (
        <Panel>
          <Failed onRetry={refetch} busy={isFetching} why={error.message} />
        </Panel>
      ) : (
        <WaitingFigures />
      )}
    </EntryPage>
  )
}

/** True before anything happened, whatever the range: the first steps are shown, and no zeros. */
const isEmpty = ({ checklist, current, previous, latestSales, attention }: Dashboard) =>
  checklist.some(({ step, done }) => step === 'partner' && !done) &&
  current.numberOfLeads + previous.numberOfLeads + latestSales.length + attention.length === 0

/**
 * Shown until anyone has earned something: partners and links may have rates of their own, so zero account rates can be
 * fine.
 */
function ZeroRates() {
  const { id, defaultCommissionSettings } = useOwnAccount()
  const { data: stats } = useQuery(accountStatsQuery(id))
  if (!areZero(defaultCommissionSettings.layerRates) || stats?.salesRevenueShare !== 0) return null
  return (
    <Message kind="warning" action={<SetRates />}>
      {zeroRateWords.account}
    </Message>
  )
}

/** Placeholders for all the panels of the dashboard. */
function WaitingFigures() {
  const lists = [dashboardWords.topPartners, dashboardWords.topLinks]
  return (
    <div className="stack">
      <WaitingStats count={6} />
      <WaitingChart heading={dashboardWords.moneyChart} />
      <Beside>
        <WaitingChart heading={dashboardWords.countChart} />
        {lists.map((heading) => (
          <Panel key={heading} heading={heading}>
            <Skeleton rows={5} />
          </Panel>
        ))}
      </Beside>
    </div>
  )
}

type FiguresProps = { data: Dashboard; account: ReturnType<typeof useAccount>; range: DateRangeState }

function Figures({ data, account, range }: FiguresProps) {
  const { history } = data
  const may = usePermission()
  const attention = data.attention.filter(({ kind }) => may(attentionKinds[kind].resolvedBy))
  return (
    <>
      <StatStrip label={statsWords.summary} stats={statsOf(data, range)} />
      <Beside wideFirst>
        <MoneyChart accountId={account.id} history={history} range={range} />
        {attention.length > 0 && <Attention account={account} items={attention} />}
      </Beside>
      <Beside>
        <CountChart history={history} today={range.today} />
        <TopPartners partners={data.topPartners} currency={data.current.currency} range={range} />
        <TopLinks links={data.topLinks} currency={data.current.currency} range={range} />
      </Beside>
      <LatestSales sales={data.latestSales} />
      <p className="muted small">{dashboardWords.note({ timeZone: formatZone(account.timeZone) })}</p>
    </>
  )
}

/** Returns the figures of the range with their change, each with a link to the list that adds up to it. */
function statsOf({ current, previous, history, partnersInAll }: Dashboard, range: DateRangeState): Stat[] {
  const money = (amount: number | null) => (amount === null ? basicWords.absent : formatMoney(amount, current.currency))
  const change = changesIn(current.currency)
  const figure = (key: FigureKey, neutral?: boolean) => change(current[key], previous[key], neutral)
  const toRevenue = (label: string) => (
    <Link to="/leads" search={revenueBehind(history)}>
      {label}
    </Link>
  )
  return [
    {
      label: fieldWords.partners,
      value: formatNumber(partnersInAll),
      wrap: (label) => (
        <Link to="/partners" search={range.to < range.today ? { to: range.to } : {}}>
          {label}
        </Link>
      ),
      note: current.numberOfPartners > 0 && (
        <Link to="/partners" search={partnersBehind(history)}>
          {dashboardWords.newPartners({ count: current.numberOfPartners })}
        </Link>
      ),
    },
    {
      label: fieldWords.leads,
      value: formatNumber(current.numberOfLeads),
      wrap: (label) => (
        <Link to="/leads" search={leadsBehind(history)}>
          {label}
        </Link>
      ),
      ...figure('numberOfLeads'),
    },
    {
      label: fieldWords.sales,
      value: formatNumber(current.numberOfSales),
      wrap: (label) => (
        <Link to="/leads" search={salesBehind(history)}>
          {label}
        </Link>
      ),
      ...figure('numberOfSales'),
    },
    {
      label: fieldWords.revenue,
      value: money(current.salesRevenue),
      wrap: toRevenue,
      ...figure('salesRevenue'),
    },
    {
      label: statsWords.share,
      value: money(current.salesRevenueShare),
      wrap: toRevenue,
      ...figure('salesRevenueShare', true),
    },
    {
      label: fieldWords.profit,
      value: money(current.salesProfit),
      wrap: toRevenue,
      ...figure('salesProfit'),
    },
  ]
}

type FigureKey = Exclude<keyof Dashboard['current'], 'currency'>

type TopPartnersProps = { partners: Dashboard['topPartners']; currency: string; range: DateRangeState }

function TopPartners({ partners, currency, range }: TopPartnersProps) {
  const change = changesIn(currency)
  return (
    <Panel heading={dashboardWords.topPartners} aside={<Link to="/partners">{basicWords.actions.viewAll}</Link>}>
      {partners.length === 0 ? (
        <Empty hint={dashboardWords.noPartners} />
      ) : (
        <PlainTable
          label={dashboardWords.topPartners}
          rows={partners}
          keyOf={({ partnerId }) => partnerId}
          columns={[
            {
              head: fieldWords.partner,
              cell: ({ partnerId, displayName }) => (
                <Name>
                  <Link to="/partners/$partnerId" params={{ partnerId }} search={sameRange(range)}>
                    {displayName}
                  </Link>
                </Name>
              ),
            },
            { head: fieldWords.sales, numeric: true, cell: ({ numberOfSales }) => formatNumber(numberOfSales) },
            {
              head: fieldWords.revenue,
              numeric: true,
              cell: ({ salesRevenue, previousRevenue }) => (
                <>
                  {formatMoney(salesRevenue, currency)}
                  <Changed {...change(salesRevenue, previousRevenue)} />
                </>
              ),
            },
          ]}
        />
      )}
    </Panel>
  )
}

type TopLinksProps = { links: Dashboard['topLinks']; currency: string; range: DateRangeState }

function TopLinks({ links, currency, range }: TopLinksProps) {
  const change = changesIn(currency)
  return (
    <Panel heading={dashboardWords.topLinks} aside={<Link to="/links">{basicWords.actions.viewAll}</Link>}>
      {links.length === 0 ? (
        <Empty hint={dashboardWords.noLinks} />
      ) : (
        <PlainTable
          label={dashboardWords.topLinks}
          rows={links}
          keyOf={({ blueprintId }) => blueprintId}
          columns={[
            {
              head: fieldWords.link,
              cell: ({ blueprintId, name }) => (
                <Name>
                  <Link to="/links/$blueprintId" params={{ blueprintId }} search={sameRange(range)}>
                    {name}
                  </Link>
                </Name>
              ),
            },
            {
              head: fieldWords.clicks,
              numeric: true,
              cell: ({ clicks, previousClicks }) => (
                <>
                  {formatNumber(clicks)}
                  <Changed {...change(clicks, previousClicks)} />
                </>
              ),
            },
            { head: fieldWords.sales, numeric: true, cell: ({ sales }) => formatNumber(sales) },
          ]}
        />
      )}
    </Panel>
  )
}

const trendLooks = { up: 'success', down: 'error' } as const

/** The change of a row's figure, below it. */
const Changed = ({ note, trend }: ReturnType<ReturnType<typeof changesIn>>) => (
  <p className={`small ${trend ? trendLooks[trend] : 'muted'}`}>{note}</p>
)

function LatestSales({ sales }: { sales: Sale[] }) {
  const heading = dashboardWords.latestSales
  return (
    <Panel
      heading={heading}
      aside={
        <Link to="/leads" search={{ tab: 'sales' }}>
          {basicWords.actions.viewAllSales}
        </Link>
      }
    >
      {sales.length === 0 ? (
        <Empty hint={dashboardWords.noSales} />
      ) : (
        <PlainTable
          label={heading}
          rows={sales}
          columns={[
            {
              head: fieldWords.lead,
              cell: (sale) => <Name>{leadOf(sale)}</Name>,
            },
            {
              head: fieldWords.partner,
              wideOnly: true,
              cell: ({ partnerName }) => (partnerName ? <Name>{partnerName}</Name> : basicWords.absent),
            },
            {
              head: fieldWords.saleDate,
              wideOnly: true,
              cell: ({ saleDate }) => <span className="muted whole">{formatDate(saleDate)}</span>,
            },
            { head: fieldWords.status, under: true, cell: statusOf },
            { head: fieldWords.amount, numeric: true, cell: amountOf },
            { head: fieldWords.commission, numeric: true, wideOnly: true, cell: commissionOf },
          ]}
        />
      )}
    </Panel>
  )
}

const statusOf = ({ status, livemode }: Sale) => (
  <>
    <StatusBadge of="sale" status={status} /> <TestBadge livemode={livemode} />
  </>
)

const leadOf = ({ leadId, leadName }: Sale) =>
  leadId ? <ToLead id={leadId}>{leadName}</ToLead> : <span className="muted plain">{dashboardWords.noLead}</span>

const amountOf = ({ amount, currency, accountCurrency }: Sale) =>
  amount === null ? basicWords.absent : formatMoney(amount, currency, accountCurrency)

/** A single entry opens its receipt; several are shown by the sale they belong to. */
function commissionOf({ id, commissions, accountCurrency: currency, leadId, leadName }: Sale) {
  const [first, second] = commissions
  if (first && !second) return <MoneyLink of={first} />
  const amount = commissions.reduce((sum, entry) => sum + entry.amount, 0)
  if (!first || !leadId) return formatMoney(amount, currency)
  return <SaleMoneyLink saleId={id} leadId={leadId} leadName={leadName} amount={amount} currency={currency} />
}
