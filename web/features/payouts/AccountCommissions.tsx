import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type CommissionTotals, downloadCommissions, type listCommissions } from '#contract/balances.ts'
import { formatCount, formatDateAt, formatMoney, formatRate } from '../../format.ts'
import { type ColumnOf, DataTable, type FilterOf } from '../../lists/DataTable.tsx'
import type { QueryOf } from '../../lists/table-state.ts'
import { type TableState, useTable } from '../../lists/useTable.ts'
import { dayOf, EntryName, WhySetAside } from '../../shared/commission-entries.tsx'
import { entryKindChoices, entryStatusChoices } from '../../shared/entry-choices.ts'
import { MoneyLink } from '../../shared/MoneyLink.tsx'
import { PartnerFilter } from '../../shared/PartnerPicker.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { DaysFilter } from '../../ui/DateRange.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { t } from '../../words.ts'
import { commissions, commissionTable } from './queries.ts'

/** Every commission of the account, by sale: what is owed for a month, to whom, and why. */
export function AccountCommissions({ menu }: { menu: readonly Action[] }) {
  const { id: accountId, timeZone, defaultCurrency: currency } = useAccount()
  const table = useTable(commissionTable)
  const answer = useQuery(commissions(accountId, table.query))
  const totals = answer.data?.totals
  const columns = useMemo(() => columnsFor(timeZone, totals, currency), [timeZone, totals, currency])
  return (
    <DataTable
      name={t('pages.commissions')}
      page={t('pages.payouts')}
      plural={t('partners.commissions.plural')}
      searchable={false}
      rowsAre="entries"
      table={table}
      csv={{ endpoint: downloadCommissions, params: { id: accountId }, atHead: true, menu }}
      answer={answer}
      columns={columns}
      totalsOfAll
      keyOf={({ id }) => id}
      nameOf={({ id }) => id}
      filters={filtersFor(accountId, timeZone, table)}
      empty={{ icon: <PayoutsIcon />, hint: t('partners.commissions.none') }}
    />
  )
}

type Table = TableState<QueryOf<typeof commissionTable>>

/** Maps a date filter to the days on which entries fall due. */
const byDue = ({ filter, set }: Table): Parameters<typeof DaysFilter>[0]['table'] => ({
  filter: (name) => filter(name === 'from' ? 'dueFrom' : 'dueTo'),
  set: ({ from, to }) => set({ dueFrom: from, dueTo: to }),
})

function filtersFor(accountId: string, timeZone: string, table: Table): FilterOf<typeof commissionTable>[] {
  const [sold, due] = [t('payouts.commissions.sold'), t('payouts.commissions.dueOn')]
  return [
    {
      name: 'status',
      label: t('payouts.columns.status'),
      choices: entryStatusChoices(),
    },
    {
      name: 'kind',
      label: t('partners.commissions.kind'),
      choices: entryKindChoices(),
    },
    {
      name: 'partner',
      label: t('payouts.columns.partner'),
      render: (filter) => <PartnerFilter {...filter} accountId={accountId} />,
    },
    { name: 'from', label: sold, render: () => <DaysFilter label={sold} table={table} timeZone={timeZone} /> },
    { name: 'dueFrom', label: due, render: () => <DaysFilter label={due} table={byDue(table)} timeZone={timeZone} /> },
  ]
}

function columnsFor(
  timeZone: string,
  totals: CommissionTotals | undefined,
  currency: string,
): ColumnOf<typeof listCommissions>[] {
  return [
    {
      head: t('payouts.columns.date'),
      csv: ['saleDate', 'refundAt', 'createdAt'],
      short: true,
      sort: 'createdAt',
      cell: (entry) => dayOf(entry, timeZone),
      total: () => totals && t('table.counted.entries', { count: totals.count, total: formatCount(totals.count) }),
    },
    {
      head: t('partners.commissions.sale'),
      field: 'saleDescription',
      csv: ['kind', 'saleDescription', 'reason', 'refundKind'],
      card: 'under',
      cell: (entry) => <EntryName entry={entry} />,
    },
    {
      head: t('payouts.columns.partner'),
      field: 'partnerName',
      card: 'under',
      cell: ({ partnerId, partnerName }) => (
        <Link to="/partners/$partnerId" params={{ partnerId }}>
          {partnerName}
        </Link>
      ),
    },
    {
      head: t('payouts.columns.layer'),
      field: 'layer',
      numeric: true,
      cell: ({ layer }) => (layer === null ? t('absent') : layer + 1),
    },
    {
      head: t('payouts.columns.rate'),
      field: 'rate',
      numeric: true,
      card: 'figure',
      cell: ({ rate }) => (rate === null ? t('absent') : formatRate(rate)),
    },
    {
      head: t('payouts.columns.amount'),
      field: 'amount',
      numeric: true,
      card: 'figure',
      cell: (entry) => <MoneyLink of={entry} strong />,
      total: () => totals && formatMoney(totals.amount, currency),
    },
    {
      head: t('payouts.columns.status'),
      field: 'status',
      csv: ['status', 'holdUntil', 'holdReason'],
      card: 'beside',
      cell: ({ status, hold }) => (
        <>
          <StatusBadge of="commission" status={status} />
          <WhySetAside hold={hold} timeZone={timeZone} />
        </>
      ),
    },
    {
      head: t('payouts.columns.due'),
      field: 'availableAt',
      short: true,
      sort: 'availableAt',
      card: 'figure',
      cell: ({ availableAt }) => <span className="muted">{formatDateAt(availableAt, timeZone)}</span>,
    },
  ]
}
