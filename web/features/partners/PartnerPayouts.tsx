import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Partner } from '#contract/partners.ts'
import { downloadPartnerPayouts, type listPartnerPayouts, type Payout } from '#contract/payouts.ts'
import { payoutStatuses } from '#contract/values.ts'
import { formatDate, formatDateRange, formatSum } from '../../format.ts'
import { type ColumnOf, DataTable } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { StatusBadge, statusLabel } from '../../shared/StatusBadge.tsx'
import { PayoutLink } from '../../shell/PayoutLink.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { t } from '../../words.ts'
import { partnerPayouts, partnerPayoutTable } from './queries.ts'

/** This partner's payouts, paid and pending. */
export function PartnerPayouts({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const table = useTable(partnerPayoutTable)
  const answer = useQuery(partnerPayouts(partner.id, table.query))
  const columns = useMemo(columnsFor, [])
  return (
    <DataTable
      name={t('partners.detail.payouts')}
      plural={t('partners.detail.payoutsPlural')}
      rowsAre="payouts"
      table={table}
      csv={{ endpoint: downloadPartnerPayouts, params: { id: partner.id }, onlyShown: !whole }}
      answer={answer}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={numberOf}
      filters={[
        {
          name: 'status',
          label: t('partners.payoutColumns.status'),
          choices: payoutStatuses.map((status) => ({ value: status, label: statusLabel('payout', status) })),
        },
      ]}
      empty={{ icon: <PayoutsIcon />, hint: t('partners.detail.payoutsHint') }}
    />
  )
}

const numberOf = ({ statementNumber }: Payout) => t('payouts.number', { number: statementNumber })

const columnsFor = (): ColumnOf<typeof listPartnerPayouts>[] => [
  {
    head: t('partners.payoutColumns.payout'),
    csv: ['statementNumber'],
    total: (rows) => t('payouts.count', { count: rows.length }),
    cell: (payout) => <PayoutLink id={payout.id}>{numberOf(payout)}</PayoutLink>,
  },
  {
    head: t('partners.payoutColumns.status'),
    field: 'status',
    card: 'beside',
    cell: ({ status }) => <StatusBadge of="payout" status={status} />,
  },
  {
    head: t('partners.payoutColumns.period'),
    field: 'periodStart',
    csv: ['periodStart', 'periodEnd'],
    card: 'under',
    cell: ({ periodStart, periodEnd }) => (
      <span className="muted">{periodStart && periodEnd ? formatDateRange(periodStart, periodEnd) : t('absent')}</span>
    ),
  },
  {
    head: t('partners.payoutColumns.date'),
    field: 'paidOn',
    card: 'figure',
    cell: ({ paidOn }) => <span className="muted">{paidOn ? formatDate(paidOn) : t('absent')}</span>,
  },
  {
    head: t('partners.payoutColumns.amount'),
    field: 'amount',
    numeric: true,
    sort: 'amount',
    card: 'figure',
    cell: ({ amount, currency }) => <Money strong amount={amount} currency={currency} />,
    total: formatSum,
  },
]
