import { useMemo } from 'react'
import type { Partner } from '#contract/partners.ts'
import { downloadPartnerPayouts, type listPartnerPayouts, type Payout } from '#contract/payouts.ts'
import { receivedInWords } from '#contract/received.ts'
import { payoutStatuses } from '#contract/values.ts'
import { formatDateRange, formatSum } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { PayoutLink } from '../../shell/PayoutLink.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { payoutWords } from '../../words/payouts.ts'
import { partnerPayouts } from './queries.ts'

const column = defineColumns<typeof listPartnerPayouts>()

/** This partner's payouts, paid and pending. */
export function PartnerPayouts({ partner, whole = false }: { partner: Partner; whole?: boolean }) {
  const list = useList(partnerPayouts({ id: partner.id }))
  const { answer } = list
  // most programs pay in their own currency, for which the amount is enough
  const isConverted = answer.data?.items.some((payout) => receivedInWords(payout) !== null) ?? false
  const columns = useMemo(() => columnsFor(isConverted), [isConverted])
  return (
    <DataTable
      name={fieldWords.payouts}
      plural={partnerWords.detail.payoutsPlural}
      rowsAre="payouts"
      list={list}
      csv={{ endpoint: downloadPartnerPayouts, onlyShown: !whole }}
      columns={columns}
      nameOf={numberOf}
      filters={[statusFilter('status', fieldWords.status, 'payout', payoutStatuses)]}
      empty={{ icon: <PayoutsIcon />, hint: partnerWords.detail.payoutsHint }}
    />
  )
}

const numberOf = ({ statementNumber }: Payout) => payoutWords.number({ number: statementNumber })

const received: ColumnOf<typeof listPartnerPayouts> = column.of(
  'payee',
  payoutWords.statement.received,
  { csv: ['payeeAmount', 'payeeCurrency'], card: 'under' },
  (payout) => receivedInWords(payout) ?? basicWords.absent,
)

const columnsFor = (isConverted: boolean): ColumnOf<typeof listPartnerPayouts>[] => [
  column.first(
    ['statementNumber'],
    fieldWords.payout,
    { total: (rows) => payoutWords.count({ count: rows.length }) },
    (payout) => <PayoutLink id={payout.id}>{numberOf(payout)}</PayoutLink>,
  ),
  column.badge('status', fieldWords.status, 'payout'),
  column.of(
    'periodStart',
    partnerWords.payoutColumns.period,
    { csv: ['periodStart', 'periodEnd'], card: 'under' },
    ({ periodStart, periodEnd }) => (
      <span className="muted">
        {periodStart && periodEnd ? formatDateRange(periodStart, periodEnd) : basicWords.absent}
      </span>
    ),
  ),
  column.date('paidOn', fieldWords.paidOn, { card: 'figure' }),
  ...(isConverted ? [received] : []),
  column.money('amount', fieldWords.amount, { sort: true, total: formatSum, strong: true }),
]
