import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadPartnerCommissions, type listPartnerCommissions } from '#contract/sales.ts'
import { formatDateAt, formatMoney, formatRate } from '../../format.ts'
import { type ColumnOf, DataTable, type FilterOf } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { EntryName, LeadOfEntry, WhySetAside } from '../../shared/commission-entries.tsx'
import { entryKindChoices, entryStatusChoices } from '../../shared/entry-choices.ts'
import { MoneyLink } from '../../shared/MoneyLink.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { useMediaQuery } from '../../ui/browser.ts'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { t } from '../../words.ts'
import { commissions, commissionTable } from './queries.ts'

/** A partner's entries, each with its receipt; those in one state add up to that part of the balance. */
export function Commissions({ partnerId, whole = false }: { partnerId: string; whole?: boolean }) {
  const { timeZone } = useAccount()
  const table = useTable(commissionTable)
  const answer = useQuery(commissions(partnerId, table.query))
  const wide = useMediaQuery('(min-width: 768px)')
  const desk = useMediaQuery('(min-width: 1200px)')
  const total = answer.data?.totals.amount
  const columns = useMemo(
    () => columnsFor({ timeZone, total, wide, roomy: !wide || desk }),
    [timeZone, total, wide, desk],
  )
  return (
    <DataTable
      name={t('pages.commissions')}
      plural={t('partners.commissions.plural')}
      searchable={false}
      rowsAre="entries"
      table={table}
      csv={{ endpoint: downloadPartnerCommissions, params: { id: partnerId }, onlyShown: !whole }}
      answer={answer}
      columns={columns}
      totalsOfAll
      keyOf={({ id }) => id}
      nameOf={({ id }) => id}
      filters={filters}
      empty={{ icon: <PayoutsIcon />, hint: t('partners.commissions.none') }}
    />
  )
}

const filters: FilterOf<typeof commissionTable>[] = [
  {
    name: 'status',
    label: t('partners.commissions.state'),
    choices: entryStatusChoices(),
  },
  {
    name: 'kind',
    label: t('partners.commissions.kind'),
    choices: entryKindChoices(),
  },
]

/** On medium screens the amount needs the room: layer and base are in the receipt. */
type Shown = { timeZone: string; total: number | undefined; wide: boolean; roomy: boolean }

function columnsFor({ timeZone, total, wide, roomy }: Shown): ColumnOf<typeof listPartnerCommissions>[] {
  const booked: ColumnOf<typeof listPartnerCommissions> = {
    head: t('partners.commissions.booked'),
    csv: ['createdAt'],
    short: true,
    sort: 'createdAt',
    cell: ({ createdAt }) => formatDateAt(createdAt, timeZone),
    total: () => t('partners.commissions.total'),
  }
  const sale: ColumnOf<typeof listPartnerCommissions> = {
    head: t('partners.commissions.sale'),
    field: 'saleDescription',
    csv: ['kind', 'saleDescription', 'saleDate', 'reason', 'refundKind'],
    cell: (entry) => <EntryName entry={entry} />,
  }
  const layer: ColumnOf<typeof listPartnerCommissions> = {
    head: t('partners.commissions.layer'),
    field: 'layer',
    numeric: true,
    cell: ({ layer }) => (layer === null ? t('absent') : layer + 1),
  }
  const base: ColumnOf<typeof listPartnerCommissions> = {
    head: t('partners.commissions.base'),
    field: 'baseAmount',
    numeric: true,
    cell: ({ baseAmount, currency }) => <Money amount={baseAmount} currency={currency} />,
  }
  return [
    // A table row starts with its date; a card is headed by its name.
    ...(wide ? [booked, sale] : [sale, booked]),
    {
      head: t('partners.commissions.lead'),
      field: 'leadName',
      card: 'under',
      cell: (entry) => <LeadOfEntry entry={entry} />,
    },
    {
      head: t('partners.commissions.state'),
      field: 'status',
      card: 'beside',
      csv: ['status', 'holdUntil', 'holdReason'],
      cell: ({ status, hold }) => (
        <>
          <StatusBadge of="commission" status={status} />
          <WhySetAside hold={hold} timeZone={timeZone} />
        </>
      ),
    },
    {
      head: t('partners.commissions.payable'),
      field: 'availableAt',
      short: true,
      sort: 'availableAt',
      card: 'figure',
      cell: ({ availableAt }) => <span className="muted">{formatDateAt(availableAt, timeZone)}</span>,
    },
    ...(roomy ? [layer] : []),
    {
      head: t('partners.commissions.rate'),
      field: 'rate',
      numeric: true,
      card: 'figure',
      cell: ({ rate }) => (rate === null ? t('absent') : formatRate(rate)),
    },
    ...(roomy ? [base] : []),
    {
      head: t('partners.commissions.amount'),
      field: 'amount',
      numeric: true,
      sort: 'amount',
      card: 'figure',
      cell: (entry) => <MoneyLink of={entry} strong />,
      total: (rows) => {
        const [first] = rows
        return first && total !== undefined && formatMoney(total, first.currency)
      },
    },
  ]
}
