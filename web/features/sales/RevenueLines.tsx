import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { downloadRevenueLines, type listRevenueLines, type RevenueLine, revenueKinds } from '#contract/sales.ts'
import { formatCount, formatDate, formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useTable } from '../../lists/useTable.ts'
import { WhySetAside } from '../../shared/commission-entries.tsx'
import { daysFilter, partnerFilter } from '../../shared/filters.tsx'
import { useLinkFilter } from '../../shared/link-filter.ts'
import { SaleMoneyLink } from '../../shared/MoneyLink.tsx'
import { sale } from '../../shared/queries.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import type { Action } from '../../ui/ActionMenu.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { Name } from '../../ui/Name.tsx'
import { toast } from '../../ui/toasts.ts'
import { t } from '../../words.ts'
import { stateFilters } from './filters.ts'
import { revenueLineActions } from './possible.ts'
import { revenueLines, revenueTable } from './queries.ts'
import type { SaleAction } from './SaleActions.tsx'
import styles from './Sales.module.css'
import { useSaleActions } from './useSaleActions.tsx'
import { atStripe, providerLabel } from './words.ts'

type Account = { id: string; timeZone: string; defaultCurrency: string }

/** The lines that sales figures count, each on its own day, with totals of all pages at the foot. */
export function RevenueLines({ account }: { account: Account }) {
  const table = useTable(revenueTable)
  const answer = useQuery(revenueLines(account.id, table.query))
  const totals = answer.data?.totals
  const { defaultCurrency, timeZone } = account
  const columns = useMemo(() => columnsFor(defaultCurrency, timeZone, totals), [defaultCurrency, timeZone, totals])
  const link = useLinkFilter(table)
  const actions = useSaleActions()
  const client = useQueryClient()
  /** Loads the whole sale first: a line lacks some of what the dialogs show. */
  async function start(action: SaleAction, { saleId }: RevenueLine) {
    const loaded = await client.fetchQuery({ ...sale(saleId), staleTime: 0 }).catch(() => undefined)
    if (loaded) actions.start(action, loaded)
    else toast(t('sales.notLoaded'), { failed: true })
  }
  return (
    <>
      <DataTable
        name={t('sales.heading')}
        page={t('pages.leads')}
        plural={t('sales.plural')}
        rowsAre="lines"
        table={table}
        csv={{ endpoint: downloadRevenueLines, params: { id: account.id }, atHead: true }}
        answer={answer}
        columns={columns}
        totalsOfAll
        keyOf={({ id }) => id}
        nameOf={(line) => nameOf(line, account)}
        filters={[...filtersFor(account), ...link]}
        actions={(line) => [
          ...atProvider(line),
          ...revenueLineActions(line).map(
            (action): Action => ({
              label: t(`sales.actions.${action}`),
              danger: action === 'void',
              run: () => start(action, line),
            }),
          ),
        ]}
        empty={{ icon: <PayoutsIcon />, hint: t('sales.none') }}
      />
      {actions.dialog}
    </>
  )
}

/** Returns the provider's action: payments taken by Stripe are refunded there. */
function atProvider(line: RevenueLine): Action[] {
  const href = line.kind === 'sale' ? atStripe(line) : null
  return href ? [{ label: t('sales.actions.refundInStripe'), href }] : []
}

const kindLabel = (kind: RevenueLine['kind']) => t(`sales.kinds.${kind}`)

/** Returns 'Refund for Hannah Cole: -$12.00 on Nov 20, 2026'. */
const nameOf = ({ kind, leadName, amount, day }: RevenueLine, { defaultCurrency }: Account) =>
  t('sales.lineNamed', {
    kind: kindLabel(kind),
    lead: leadName,
    amount: formatMoney(amount, defaultCurrency),
    date: formatDate(day),
  })

function filtersFor({ id, timeZone }: Account): FilterOf<typeof revenueTable>[] {
  return [
    {
      name: 'kind',
      label: t('sales.columns.kind'),
      choices: revenueKinds.map((value) => ({ value, label: kindLabel(value) })),
    },
    ...stateFilters(),
    partnerFilter('partnerId', t('sales.columns.partner'), id, t('leads.noPartner')),
    { name: 'onHold', label: t('sales.onHold'), flag: true },
    daysFilter(t('sales.columns.dateRange'), timeZone),
  ]
}

/** Refunds and similar events have lines of their own, so there may be more lines than sales. */
const linesOf = ({ count, sales }: Totals) =>
  count === sales ? t('sales.lines', { count }) : t('sales.linesAndSales', { count, sales: formatCount(sales) })

type Totals = { count: number; sales: number; revenue: number; share: number; profit: number }

function columnsFor(
  currency: string,
  timeZone: string,
  totals: Totals | undefined,
): ColumnOf<typeof listRevenueLines>[] {
  const money = (head: string, field: string, of: (line: RevenueLine) => number, total: number | undefined) => ({
    head,
    field,
    numeric: true,
    card: 'figure' as const,
    cell: (line: RevenueLine) => <Money amount={of(line)} currency={currency} strong={field === 'amount'} />,
    total: () => total !== undefined && formatMoney(total, currency),
  })
  return [
    {
      head: t('sales.columns.date'),
      csv: ['day'],
      sort: 'day',
      short: true,
      cell: ({ day, leadId, saleId }) => (
        <Link to="/leads/$leadId" params={{ leadId }} hash={`sale-${saleId}`}>
          {formatDate(day)}
        </Link>
      ),
      total: () => totals && linesOf(totals),
    },
    {
      head: t('sales.columns.kind'),
      field: 'kind',
      short: true,
      below: true,
      card: 'beside',
      cell: ({ kind }) => kindLabel(kind),
    },
    {
      head: t('sales.columns.lead'),
      field: 'leadName',
      card: 'under',
      cell: ({ leadId, leadName }) => (
        <div className={styles.lineName}>
          <Name>
            <Link to="/leads/$leadId" params={{ leadId }}>
              {leadName}
            </Link>
          </Name>
        </div>
      ),
    },
    {
      head: t('sales.columns.partner'),
      field: 'partnerName',
      below: true,
      card: 'under',
      cell: ({ partnerId, partnerName }) =>
        partnerId ? (
          <div className={styles.lineName}>
            <Name>
              <Link to="/partners/$partnerId" params={{ partnerId }} className={styles.plain}>
                {partnerName}
              </Link>
            </Name>
          </div>
        ) : (
          <span className="muted">{t('leads.noPartner')}</span>
        ),
    },
    {
      head: t('sales.columns.source'),
      field: 'provider',
      cell: ({ provider }) => <span className={styles.lineSource}>{providerLabel(provider)}</span>,
    },
    {
      head: t('sales.columns.status'),
      field: 'status',
      csv: ['status', 'onHold', 'holdUntil', 'holdReason'],
      below: true,
      card: 'under',
      cell: ({ status, onHold, hold }) => (
        <span className={styles.lineState}>
          <StatusBadge of="sale" status={status} />
          {onHold && status !== 'disputed' && <small>{t('sales.onHold')}</small>}
          {status !== 'disputed' && <WhySetAside hold={hold} timeZone={timeZone} />}
        </span>
      ),
    },
    money(t('sales.columns.amount'), 'amount', ({ amount }) => amount, totals?.revenue),
    {
      ...money(t('sales.columns.commission'), 'share', ({ share }) => share, totals?.share),
      cell: ({ share, ...line }) =>
        share === 0 ? (
          <Money amount={0} currency={currency} />
        ) : (
          <SaleMoneyLink {...line} amount={share} currency={currency} />
        ),
    },
    money(t('sales.columns.profit'), 'profit', ({ profit }) => profit, totals?.profit),
  ]
}
