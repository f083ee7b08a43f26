import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Payout } from '#contract/payouts.ts'
import { type Entry, getSale, type Sale } from '#contract/sales.ts'
import { read } from '../../calls.ts'
import { formatCount, formatDate, formatDay, formatMoney, formatRate } from '../../format.ts'
import { type DataColumn, DataTable } from '../../ui/DataTable.tsx'
import { Money } from '../../ui/Money.tsx'
import { Name } from '../../ui/Name.tsx'
import { OnItsWay } from '../../ui/Panel.tsx'
import { useTable } from '../../ui/useTable.ts'
import { t } from '../../words.ts'
import styles from './Entries.module.css'
import { entries, entryTable } from './queries.ts'

/** What the payout pays, entry by entry: they sum to its amount. */
export function Entries({ payout, timeZone }: { payout: Payout; timeZone: string }) {
  const table = useTable(entryTable)
  const answer = useQuery(entries(payout.id, table.query))
  const { amount, currency } = payout
  const count = answer.data?.total
  const wide = useMediaQuery('(min-width: 768px)', true, { getInitialValueInEffect: false })
  // Lines of a book begin with their day; a card is called by what it is.
  const date: DataColumn<Entry> = {
    head: t('payouts.columns.date'),
    short: true,
    cell: (entry) => (
      <span className={styles.muted}>
        <DayOf entry={entry} timeZone={timeZone} />
      </span>
    ),
    card: 'figure',
    total: () => t('payouts.detail.total'),
  }
  const name: DataColumn<Entry> = {
    head: t('payouts.columns.entry'),
    cell: (entry) => (
      <div className={styles.name}>
        <Name>
          <EntryName entry={entry} />
        </Name>
      </div>
    ),
  }
  return (
    <div className={styles.entries}>
      <div className={styles.head}>
        <h2>{t('payouts.detail.entries')}</h2>
        {count !== undefined && <span>{formatCount(count)}</span>}
      </div>
      <DataTable
        name={t('payouts.detail.entries')}
        plural={t('payouts.detail.entriesPlural')}
        searchable={false}
        rowsAre="entries"
        table={table}
        answer={answer}
        keyOf={({ id }) => id}
        nameOf={({ id }) => id}
        empty={{ hint: t('payouts.detail.noEntries') }}
        columns={[
          ...(wide ? [date, name] : [name, date]),
          { head: t('payouts.columns.lead'), cell: (entry) => <LeadOf entry={entry} />, card: 'under' },
          {
            head: t('payouts.columns.layer'),
            numeric: true,
            cell: ({ layer }) => (layer === null ? t('absent') : layer + 1),
          },
          {
            head: t('payouts.columns.rate'),
            numeric: true,
            cell: ({ rate }) => (rate === null ? t('absent') : formatRate(rate)),
            card: 'figure',
          },
          {
            head: t('payouts.columns.base'),
            numeric: true,
            cell: ({ baseAmount }) => (
              <span className={styles.muted}>
                {baseAmount === null ? t('absent') : formatMoney(baseAmount, currency)}
              </span>
            ),
          },
          {
            head: t('payouts.columns.amount'),
            numeric: true,
            cell: (entry) => <Money amount={entry.amount} currency={entry.currency} />,
            card: 'figure',
            total: () => formatMoney(amount, currency),
          },
        ]}
      />
    </div>
  )
}

/** The sale an entry comes from; each is asked for once. */
const useSale = ({ saleId }: Entry) =>
  useQuery({ ...read(getSale, { params: { id: saleId ?? '' } }), enabled: saleId !== null })

const nameOf = ({ description, saleDate }: Sale) =>
  description ?? t('payouts.detail.saleOf', { date: formatDate(saleDate) })

function EntryName({ entry }: { entry: Entry }) {
  const { data: sale, isLoading } = useSale(entry)
  if (isLoading) return <OnItsWay width={120} />
  if (entry.saleId === null) return titleOf(entry, '')
  if (!sale) return t('payouts.detail.sale')
  const title = titleOf(entry, nameOf(sale), sale)
  if (!sale.leadId) return title
  return (
    <Link to="/leads/$leadId" params={{ leadId: sale.leadId }} hash={`sale-${sale.id}`}>
      {title}
    </Link>
  )
}

function titleOf({ kind, reason, refundId }: Entry, name: string, sale?: Sale): string {
  switch (kind) {
    case 'adjustment':
      return t('payouts.detail.adjustment', { reason: reason ?? t('absent') })
    case 'bonus':
      return t('payouts.detail.bonus', { reason: reason ?? t('absent') })
    case 'restoration':
      return t('payouts.detail.restored', { sale: name })
    case 'reversal': {
      const refund = sale?.refunds.find(({ id }) => id === refundId)
      if (!refund) return t('payouts.detail.voidOf', { sale: name })
      return t(refund.kind === 'dispute' ? 'payouts.detail.disputeOf' : 'payouts.detail.refundOf', { sale: name })
    }
    default:
      return name
  }
}

function LeadOf({ entry }: { entry: Entry }) {
  const { data: sale, isLoading } = useSale(entry)
  if (isLoading) return <OnItsWay />
  if (!sale) return t('absent')
  if (!sale.leadId) return t('payouts.detail.unattributed')
  return (
    <div className={styles.name}>
      <Name>
        <Link to="/leads/$leadId" params={{ leadId: sale.leadId }}>
          {sale.leadName}
        </Link>
      </Name>
    </div>
  )
}

/** The day of the sale, of the refund, or on which it was entered. */
function DayOf({ entry, timeZone }: { entry: Entry; timeZone: string }) {
  const { data: sale, isLoading } = useSale(entry)
  if (isLoading) return <OnItsWay />
  const refund = sale?.refunds.find(({ id }) => id === entry.refundId)
  if (refund) return formatDay(refund.at, timeZone)
  return sale && entry.kind === 'earned' ? formatDate(sale.saleDate) : formatDay(entry.createdAt, timeZone)
}
