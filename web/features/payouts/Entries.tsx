import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { listPayoutEntries, Payout, PayoutEntry } from '#contract/payouts.ts'
import { formatCount, formatDate, formatDay, formatMoney, formatRate } from '../../format.ts'
import { useMediaQuery } from '../../ui/browser.ts'
import { type ColumnOf, DataTable } from '../../ui/DataTable.tsx'
import { MoneyLink } from '../../ui/MoneyLink.tsx'
import { Name } from '../../ui/Name.tsx'
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
  const wide = useMediaQuery('(min-width: 768px)')
  // Lines of a book begin with their day; a card is called by what it is.
  const date: ColumnOf<typeof listPayoutEntries> = {
    head: t('payouts.columns.date'),
    short: true,
    cell: (entry) => <span className={styles.muted}>{dayOf(entry, timeZone)}</span>,
    card: 'figure',
    total: () => t('payouts.detail.total'),
  }
  const name: ColumnOf<typeof listPayoutEntries> = {
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
            cell: (entry) => <MoneyLink of={entry} />,
            card: 'figure',
            total: () => formatMoney(amount, currency),
          },
        ]}
      />
    </div>
  )
}

function EntryName({ entry }: { entry: PayoutEntry }) {
  const title = titleOf(entry)
  if (entry.saleId === null || !entry.lead) return title
  return (
    <Link to="/leads/$leadId" params={{ leadId: entry.lead.id }} hash={`sale-${entry.saleId}`}>
      {title}
    </Link>
  )
}

export function titleOf({ kind, reason, refund, saleDate, saleDescription }: PayoutEntry): string {
  const sale =
    saleDescription ??
    (saleDate ? t('payouts.detail.saleOf', { date: formatDate(saleDate) }) : t('payouts.detail.sale'))
  switch (kind) {
    case 'adjustment':
      return t('payouts.detail.adjustment', { reason: reason ?? t('absent') })
    case 'bonus':
      return t('payouts.detail.bonus', { reason: reason ?? t('absent') })
    case 'restoration':
      return t('payouts.detail.restored', { sale })
    case 'reversal':
      if (!refund) return t('payouts.detail.voidOf', { sale })
      return t(refund.kind === 'dispute' ? 'payouts.detail.disputeOf' : 'payouts.detail.refundOf', { sale })
    default:
      return sale
  }
}

function LeadOf({ entry: { saleId, lead } }: { entry: PayoutEntry }) {
  if (saleId === null) return t('absent')
  if (!lead) return t('payouts.detail.unattributed')
  return (
    <div className={styles.name}>
      <Name>
        <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
          {lead.name}
        </Link>
      </Name>
    </div>
  )
}

/** The day of the sale, of the refund, or on which it was entered. */
export function dayOf({ kind, refund, saleDate, createdAt }: PayoutEntry, timeZone: string) {
  if (refund) return formatDay(refund.at, timeZone)
  return saleDate && kind === 'earned' ? formatDate(saleDate) : formatDay(createdAt, timeZone)
}
