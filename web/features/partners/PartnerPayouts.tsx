import { useMemo } from 'react'
import type { Partner } from '#contract/partners.ts'
import { downloadPartnerPayouts, getPayoutStatement, type listPartnerPayouts, type Payout } from '#contract/payouts.ts'
import { receivedInWords } from '#contract/received.ts'
import { statementWords } from '#contract/statement.ts'
import { payoutStatuses } from '#contract/values.ts'
import { formatDateRange, formatSum } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { statusFilter } from '../../shared/StatusBadge.tsx'
import { PayoutLink } from '../../shell/PayoutLink.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { useDownloadedFile } from '../../ui/DownloadButton.tsx'
import { downloadFile } from '../../ui/download.ts'
import { DownloadIcon, PayoutsIcon } from '../../ui/icons.tsx'
import { usePermission } from '../../ui/permissions.ts'
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
  const offersStatement = usePermission()(getPayoutStatement) && !whole
  const columns = useMemo(
    () => [...columnsFor(isConverted), ...(offersStatement ? [statement] : [])],
    [isConverted, offersStatement],
  )
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
  statementWords.received,
  { csv: ['payeeAmount', 'payeeCurrency'], card: 'under' },
  (payout) => receivedInWords(payout) ?? basicWords.absent,
)

const statement: ColumnOf<typeof listPartnerPayouts> = {
  head: payoutWords.statement.download,
  headHidden: true,
  card: 'beside',
  cell: (payout) => <StatementButton payout={payout} />,
}

/** Saves a payout's statement, without a way over its page. */
function StatementButton({ payout }: { payout: Payout }) {
  const number = numberOf(payout)
  const { busy, save } = useDownloadedFile({
    fallback: `${number}.pdf`,
    load: () => downloadFile(getPayoutStatement, { params: { id: payout.id }, accept: 'application/pdf' }),
  })
  return (
    <IconButton
      bordered
      small
      disabled={busy}
      label={payoutWords.statement.downloadOf({ number })}
      icon={<DownloadIcon size={16} />}
      onClick={save}
    />
  )
}

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
