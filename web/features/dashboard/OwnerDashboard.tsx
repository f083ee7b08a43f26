import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dashboard } from '#contract/accounts.ts'
import type { Sale } from '#contract/sales.ts'
import { formatCount, formatDate, formatMoney } from '../../format.ts'
import { changeOf } from '../../ui/change.ts'
import { HistoryChart, WaitingChart } from '../../ui/charts.tsx'
import { leadsBehind } from '../../ui/counted-leads.ts'
import { DateRangePicker, useDateRange } from '../../ui/DateRange.tsx'
import { Name } from '../../ui/Name.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type Stat, StatStrip, WaitingStats } from '../../ui/StatStrip.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Table } from '../../ui/Table.tsx'
import { t } from '../../words.ts'
import { useAccount } from '../shell/current.ts'
import { accountStats } from '../shell/queries.ts'
import { Attention } from './Attention.tsx'
import { Checklist } from './Checklist.tsx'
import styles from './Dashboard.module.css'
import { CountChart, DownloadHistory } from './History.tsx'
import { dashboard } from './queries.ts'

export function OwnerDashboard() {
  const account = useAccount()
  const range = useDateRange(account.timeZone)
  const answer = useQuery(dashboard(account.id, range))
  const { data, error, refetch, isFetching } = answer
  return (
    <Page
      heading={t('pages.dashboard')}
      actions={
        <>
          <DateRangePicker range={range} />
          <DownloadHistory history={data?.history} />
        </>
      }
    >
      {data && <Checklist accountId={account.id} steps={data.checklist} />}
      {data ? (
        <div className={styles.figures} data-dimmed={answer.isPlaceholderData || undefined} aria-busy={isFetching}>
          <Figures data={data} account={account} />
        </div>
      ) : error ? (
        <Panel>
          <Failed onRetry={refetch} busy={isFetching} why={error.message} />
        </Panel>
      ) : (
        <WaitingFigures />
      )}
    </Page>
  )
}

/** The places of all that the dashboard shows. */
function WaitingFigures() {
  const lists = [t('dashboard.topPartners'), t('dashboard.topLinks')]
  return (
    <div className={styles.figures}>
      <WaitingStats count={6} />
      <WaitingChart heading={t('dashboard.moneyChart')} />
      <div className={styles.thirds}>
        <WaitingChart heading={t('dashboard.countChart')} />
        {lists.map((heading) => (
          <Panel key={heading} heading={heading}>
            <Skeleton rows={5} />
          </Panel>
        ))}
      </div>
    </div>
  )
}

function Figures({ data, account }: { data: Dashboard; account: ReturnType<typeof useAccount> }) {
  const { attention, history } = data
  const allTime = useQuery(accountStats(account.id)).data
  return (
    <>
      <StatStrip label={t('stats.summary')} stats={statsOf(data, allTime?.numberOfPartners)} />
      <div className={attention.length ? styles.wideFirst : undefined}>
        <HistoryChart
          heading={t('dashboard.moneyChart')}
          kind="line"
          history={history}
          series={[
            { key: 'salesRevenue', label: t('stats.revenue'), color: 'revenue' },
            { key: 'salesRevenueShare', label: t('stats.share'), color: 'share' },
            { key: 'salesProfit', label: t('stats.profit'), color: 'profit' },
          ]}
        />
        {attention.length > 0 && <Attention account={account} items={attention} />}
      </div>
      <div className={styles.thirds}>
        <CountChart history={history} />
        <TopPartners partners={data.topPartners} currency={data.current.currency} />
        <TopLinks links={data.topLinks} />
      </div>
      <LatestSales sales={data.latestSales} />
      <p className={styles.note}>{t('dashboard.note', { timeZone: account.timeZone })}</p>
    </>
  )
}

/** Partners are as many as the list has, with those who came in the range; the rest is what happened in it. */
function statsOf({ current, previous, history }: Dashboard, partners: number | undefined): Stat[] {
  const money = (amount: number | null) => (amount === null ? t('absent') : formatMoney(amount, current.currency))
  const toPartners = (label: string) => <Link to="/partners">{label}</Link>
  const toLeads = (label: string) => <Link to="/leads">{label}</Link>
  const toPayouts = (label: string) => <Link to="/payouts">{label}</Link>
  return [
    {
      label: t('stats.partners'),
      value: partners === undefined ? t('absent') : formatCount(partners),
      wrap: toPartners,
      note: current.numberOfPartners > 0 && t('stats.newOnes', { added: formatCount(current.numberOfPartners) }),
    },
    {
      label: t('stats.leads'),
      value: formatCount(current.numberOfLeads),
      wrap: (label) => (
        <Link to="/leads" search={leadsBehind(history) as never}>
          {label}
        </Link>
      ),
      ...changeOf(current.numberOfLeads, previous.numberOfLeads),
    },
    {
      label: t('stats.sales'),
      value: formatCount(current.numberOfSales),
      wrap: toLeads,
      ...changeOf(current.numberOfSales, previous.numberOfSales),
    },
    {
      label: t('stats.revenue'),
      value: money(current.salesRevenue),
      wrap: toLeads,
      ...changeOf(current.salesRevenue, previous.salesRevenue),
    },
    {
      label: t('stats.share'),
      value: money(current.salesRevenueShare),
      wrap: toPayouts,
      ...changeOf(current.salesRevenueShare, previous.salesRevenueShare, true),
    },
    {
      label: t('stats.profit'),
      value: money(current.salesProfit),
      wrap: toLeads,
      ...changeOf(current.salesProfit, previous.salesProfit),
    },
  ]
}

function TopPartners({ partners, currency }: { partners: Dashboard['topPartners']; currency: string }) {
  return (
    <Panel heading={t('dashboard.topPartners')} aside={<Link to="/partners">{t('actions.viewAll')}</Link>}>
      {partners.length === 0 ? (
        <Empty hint={t('dashboard.noPartners')} />
      ) : (
        <Table
          label={t('dashboard.topPartners')}
          rows={partners}
          keyOf={({ partnerId }) => partnerId}
          columns={[
            {
              head: t('columns.partner'),
              cell: ({ partnerId, displayName }) => (
                <Name>
                  <Link to="/partners/$partnerId" params={{ partnerId }}>
                    {displayName}
                  </Link>
                </Name>
              ),
            },
            { head: t('columns.sales'), numeric: true, cell: ({ numberOfSales }) => formatCount(numberOfSales) },
            {
              head: t('columns.revenue'),
              numeric: true,
              cell: ({ salesRevenue }) => formatMoney(salesRevenue, currency),
            },
          ]}
        />
      )}
    </Panel>
  )
}

function TopLinks({ links }: { links: Dashboard['topLinks'] }) {
  return (
    <Panel heading={t('dashboard.topLinks')} aside={<Link to="/links">{t('actions.viewAll')}</Link>}>
      {links.length === 0 ? (
        <Empty hint={t('dashboard.noLinks')} />
      ) : (
        <Table
          label={t('dashboard.topLinks')}
          rows={links}
          keyOf={({ blueprintId }) => blueprintId}
          columns={[
            {
              head: t('columns.link'),
              cell: ({ blueprintId, name }) => (
                <Name>
                  <Link to="/links/$blueprintId" params={{ blueprintId }}>
                    {name}
                  </Link>
                </Name>
              ),
            },
            { head: t('columns.clicks'), numeric: true, cell: ({ clicks }) => formatCount(clicks) },
            { head: t('columns.sales'), numeric: true, cell: ({ sales }) => formatCount(sales) },
          ]}
        />
      )}
    </Panel>
  )
}

function LatestSales({ sales }: { sales: Sale[] }) {
  const heading = t('dashboard.latestSales')
  return (
    <Panel heading={heading} aside={<Link to="/leads">{t('actions.viewAllLeads')}</Link>}>
      {sales.length === 0 ? (
        <Empty hint={t('dashboard.noSales')} />
      ) : (
        <Table
          label={heading}
          rows={sales}
          keyOf={({ id }) => id}
          columns={[
            {
              head: t('columns.lead'),
              cell: (sale) => (
                <>
                  <Name>{leadOf(sale)}</Name>
                  <div className={styles.narrowOnly}>{statusOf(sale)}</div>
                </>
              ),
            },
            {
              head: t('columns.partner'),
              wideOnly: true,
              cell: ({ partnerName }) => (partnerName ? <Name>{partnerName}</Name> : t('absent')),
            },
            {
              head: t('columns.saleDate'),
              wideOnly: true,
              cell: ({ saleDate }) => <span className={styles.date}>{formatDate(saleDate)}</span>,
            },
            { head: t('columns.status'), wideOnly: true, cell: statusOf },
            { head: t('columns.amount'), numeric: true, cell: amountOf },
            { head: t('columns.commission'), numeric: true, wideOnly: true, cell: commissionOf },
          ]}
        />
      )}
    </Panel>
  )
}

const statusOf = ({ status }: Sale) => <StatusBadge of="sale" status={status} />

const leadOf = ({ leadId, leadName }: Sale) =>
  leadId ? (
    <Link to="/leads/$leadId" params={{ leadId }}>
      {leadName}
    </Link>
  ) : (
    <span className={styles.muted}>{t('dashboard.noLead')}</span>
  )

const amountOf = ({ amount, currency, accountCurrency }: Sale) =>
  amount === null ? t('absent') : formatMoney(amount, currency, accountCurrency)

const commissionOf = ({ commissions, accountCurrency }: Sale) =>
  formatMoney(
    commissions.reduce((sum, entry) => sum + entry.amount, 0),
    accountCurrency,
  )
