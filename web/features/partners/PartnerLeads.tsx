import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { downloadPartnerLeads, leadStatuses, type listPartnerLeads } from '#contract/leads.ts'
import type { Partner } from '#contract/partners.ts'
import { formatDateAt } from '../../format.ts'
import { type ColumnOf, DataTable } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { useDuplicates } from '../../shared/duplicates.ts'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { LeadsIcon } from '../../ui/icons.tsx'
import { Count, Money } from '../../ui/Money.tsx'
import { t } from '../../words.ts'
import { partnerLeads, partnerLeadTable } from './queries.ts'

/** The leads this partner referred; `whole` is the owner's view. */
export function PartnerLeads({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const { timeZone } = useAccount()
  const table = useTable(partnerLeadTable)
  const answer = useQuery(partnerLeads(partner.id, table.query))
  const columns = useMemo(() => columnsFor(timeZone), [timeZone])
  const duplicates = useDuplicates(table, answer, (search) => partnerLeads(partner.id, search))
  return (
    <DataTable
      name={t('partners.leads')}
      plural={t('partners.detail.leadsPlural')}
      rowsAre="leads"
      amongThem={duplicates}
      table={table}
      csv={{ endpoint: downloadPartnerLeads, params: { id: partner.id }, onlyShown: !whole }}
      answer={answer}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ displayName }) => displayName}
      filters={[
        {
          name: 'status',
          label: t('partners.leadColumns.status'),
          choices: leadStatuses.map((status) => ({ value: status, label: statusLabel('lead', status) })),
        },
      ]}
      empty={{ icon: <LeadsIcon />, hint: t('partners.detail.leadsHint') }}
    />
  )
}

const columnsFor = (timeZone: string): ColumnOf<typeof listPartnerLeads>[] => [
  {
    head: t('partners.leadColumns.lead'),
    csv: ['displayName'],
    sort: 'name',
    cell: ({ id, displayName }) => (
      <Link to="/leads/$leadId" params={{ leadId: id }}>
        {displayName}
      </Link>
    ),
  },
  {
    head: t('partners.leadColumns.status'),
    field: 'status',
    card: 'beside',
    cell: ({ status }) => <StatusBadge of="lead" status={status} />,
  },
  {
    head: t('partners.leadColumns.sales'),
    field: 'numberOfSales',
    numeric: true,
    card: 'figure',
    cell: ({ stats }) => <Count count={stats.numberOfSales} />,
  },
  {
    head: t('partners.leadColumns.revenue'),
    field: 'salesRevenue',
    numeric: true,
    sort: 'salesRevenue',
    card: 'figure',
    cell: ({ stats }) => <Money amount={stats.salesRevenue} currency={stats.currency} />,
  },
  {
    head: t('partners.leadColumns.share'),
    field: 'salesRevenueShare',
    numeric: true,
    card: 'figure',
    cell: ({ stats }) => <Money amount={stats.salesRevenueShare} currency={stats.currency} />,
  },
  {
    head: t('partners.leadColumns.created'),
    field: 'createdAt',
    sort: 'createdAt',
    short: true,
    cell: ({ createdAt }) => <span className="muted">{formatDateAt(createdAt, timeZone)}</span>,
  },
]
