import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatNumber } from '#contract/format.ts'
import {
  changeSale,
  downloadRevenueLines,
  type listRevenueLines,
  type RevenueLine,
  revenueKinds,
  type Sale,
} from '#contract/sales.ts'
import { formatDate, formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { useBroughtByFilter } from '../../shared/brought-by.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { daysFilter, partnerFilter } from '../../shared/filters.tsx'
import { useLinkFilter } from '../../shared/link-filter.ts'
import { ToLead, ToPartner } from '../../shared/links.tsx'
import { SaleMoneyLink } from '../../shared/MoneyLink.tsx'
import { saleQuery } from '../../shared/queries.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { type Act, useStart } from '../../ui/actions.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { Name } from '../../ui/Name.tsx'
import { LoadOnUse } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { leadWords, saleWords } from '../../words/leads.ts'
import { pageWords } from '../../words/shell.ts'
import { amountFilter, stateFilters } from './filters.tsx'
import { revenueLines } from './queries.ts'
import { revenueLineActions } from './sale-actions.ts'
import { saleActs } from './sale-acts.ts'
import { leadsAmong, providerLabel, refundAtProvider } from './words.ts'

const column = defineColumns<typeof listRevenueLines>()

type Account = { id: string; timeZone: string; defaultCurrency: string }

/** The lines that sales figures count, each on its own day, with totals of all pages at the foot. */
export function RevenueLines({ account }: { account: Account }) {
  const list = useList(revenueLines({ id: account.id }))
  const { table, answer } = list
  const totals = answer.data?.totals
  const { defaultCurrency } = account
  const items = answer.data?.items
  const columns = useMemo(
    () => columnsFor(defaultCurrency, totals, leadsAmong(items)),
    [defaultCurrency, totals, items],
  )
  const link = useLinkFilter(table)
  const broughtBy = useBroughtByFilter(table, account.id)
  const open = useStart()
  const may = usePermission()
  const client = useQueryClient()
  /** Loads the whole sale first: a line lacks some of what the dialogs show. */
  async function start(act: Act<Sale>, { saleId }: RevenueLine) {
    if (saleId === null) return
    const loaded = await client.fetchQuery({ ...saleQuery(saleId), staleTime: 0 }).catch(() => undefined)
    if (loaded) open(act, loaded)
    else showToast(saleWords.notLoaded, { failed: true })
  }
  return (
    <>
      <DataTable
        name={fieldWords.sales}
        page={pageWords.leads}
        plural={saleWords.plural}
        rowsAre="lines"
        list={list}
        csv={{ endpoint: downloadRevenueLines, atHead: true }}
        columns={columns}
        totalsOfAll
        nameOf={(line) => nameOf(line, account)}
        filters={[...filtersFor(account), ...link, ...broughtBy]}
        actions={
          may(changeSale)
            ? (line) => [
                line.kind === 'sale' && refundAtProvider(line),
                ...revenueLineActions(line).map((action) => {
                  const { danger } = saleActs[action]
                  return { label: saleWords.actions[action], danger, run: () => start(saleActs[action], line) }
                }),
              ]
            : undefined
        }
        empty={{ icon: <PayoutsIcon />, hint: saleWords.none }}
      />
      <LoadOnUse acts={[saleActs.describe]} />
    </>
  )
}

const kindLabel = (kind: RevenueLine['kind']) => saleWords.kinds[kind]

/** Returns 'Refund for Hannah Cole: -$12.00 on Nov 20, 2026'. */
const nameOf = ({ kind, leadName, amount, day }: RevenueLine, { defaultCurrency }: Account) =>
  saleWords.lineNamed({
    kind: kindLabel(kind),
    lead: leadName,
    amount: formatMoney(amount, defaultCurrency),
    date: formatDate(day),
  })

function filtersFor({ id, timeZone, defaultCurrency }: Account): FilterOf<typeof revenueLines>[] {
  return [
    {
      name: 'kind',
      label: fieldWords.kind,
      choices: revenueKinds.map((value) => ({ value, label: kindLabel(value) })),
    },
    ...stateFilters(),
    partnerFilter('partnerId', fieldWords.partner, id, leadWords.noPartner),
    { name: 'onHold', label: saleWords.onHold, flag: true },
    { ...amountFilter(fieldWords.amount, defaultCurrency, { signed: true }), rare: true },
    daysFilter(saleWords.columns.dateRange, timeZone),
  ]
}

/** Refunds and similar events have lines of their own, so there may be more lines than sales. */
const linesOf = ({ count, sales }: Totals) =>
  count === sales ? saleWords.lines({ count }) : saleWords.linesAndSales({ count, sales: formatNumber(sales) })

type Totals = { count: number; sales: number; revenue: number; share: number; profit: number }

function columnsFor(
  currency: string,
  totals: Totals | undefined,
  among: readonly string[] | undefined,
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
    column.first(
      ['day'],
      fieldWords.date,
      { sort: true, short: true, total: () => totals && linesOf(totals) },
      ({ day, leadId, saleId }) => (
        <Link
          to="/leads/$leadId"
          params={{ leadId }}
          hash={saleId === null ? undefined : `sale-${saleId}`}
          state={among && { among }}
        >
          {formatDate(day)}
        </Link>
      ),
    ),
    column.of('kind', fieldWords.kind, { short: true, below: true, card: 'beside' }, ({ kind }) => kindLabel(kind)),
    column.of(
      'leadName',
      fieldWords.lead,
      { csv: ['leadName', 'payerEmail', 'providerCustomerId', 'providerUrl'], card: 'under' },
      (line) => (
        <Name>
          <ToLead id={line.leadId} among={among}>
            {line.leadName}
          </ToLead>
        </Name>
      ),
    ),
    column.of('partnerName', fieldWords.partner, { card: 'under' }, ({ partnerId, partnerName }) => (
      <Name>
        <ToPartner id={partnerId} plain none={leadWords.noPartner}>
          {partnerName}
        </ToPartner>
      </Name>
    )),
    column.of(
      'provider',
      fieldWords.source,
      { wideOnly: true },
      ({ provider }) => provider && <span className="muted">{providerLabel(provider)}</span>,
    ),
    column.of(
      'status',
      fieldWords.status,
      { csv: ['status', 'onHold', 'holdUntil', 'holdReason'], below: true, card: 'under' },
      ({ status, onHold, hold }) =>
        status &&
        (onHold && status !== 'disputed' ? (
          <span title={hold?.reason} className="strong small warning">
            {saleWords.onHold}
          </span>
        ) : (
          <StatusBadge of="sale" status={status} />
        )),
    ),
    money(fieldWords.amount, 'amount', ({ amount }) => amount, totals?.revenue),
    {
      ...money(labelWords.commission, 'share', ({ share }) => share, totals?.share),
      cell: ({ share, ...line }) =>
        share === 0 ? (
          <Money amount={0} currency={currency} />
        ) : (
          <SaleMoneyLink {...line} amount={share} currency={currency} />
        ),
    },
    { ...money(fieldWords.profit, 'profit', ({ profit }) => profit, totals?.profit), below: true },
  ]
}
