import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { downloadPayoutEntries, type listPayoutEntries, type Payout } from '#contract/payouts.ts'
import { formatCount, formatMoney, formatRate } from '../../format.ts'
import { type ColumnOf, DataTable } from '../../lists/DataTable.tsx'
import { useTable } from '../../lists/useTable.ts'
import { dayOf, EntryName, LeadOfEntry } from '../../shared/commission-entries.tsx'
import { MoneyLink } from '../../shared/MoneyLink.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { t } from '../../words.ts'
import styles from './PayoutEntries.module.css'
import { entries, entryTable } from './queries.ts'

/** The entries that the payout pays; they add up to its amount. */
export function PayoutEntries({ payout, timeZone, owns }: { payout: Payout; timeZone: string; owns: boolean }) {
  const table = useTable(entryTable)
  const answer = useQuery(entries(payout.id, table.query))
  const { amount, currency } = payout
  const count = answer.data?.total
  const wide = useMediaQuery('(min-width: 768px)')
  const columns = useMemo(() => columnsFor({ amount, currency, timeZone, wide }), [amount, currency, timeZone, wide])
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
        csv={{ endpoint: downloadPayoutEntries, params: { id: payout.id }, onlyShown: !owns }}
        answer={answer}
        keyOf={({ id }) => id}
        nameOf={({ id }) => id}
        empty={{ hint: t('payouts.detail.noEntries') }}
        columns={columns}
      />
    </div>
  )
}

type Shown = Pick<Payout, 'amount' | 'currency'> & { timeZone: string; wide: boolean }

function columnsFor({ amount, currency, timeZone, wide }: Shown): ColumnOf<typeof listPayoutEntries>[] {
  // A table row starts with its date; a card is headed by its name.
  const date: ColumnOf<typeof listPayoutEntries> = {
    head: t('payouts.columns.date'),
    csv: ['saleDate', 'refundAt', 'createdAt'],
    short: true,
    cell: (entry) => <span className={styles.muted}>{dayOf(entry, timeZone)}</span>,
    card: 'figure',
    total: () => t('payouts.detail.total'),
  }
  const name: ColumnOf<typeof listPayoutEntries> = {
    head: t('payouts.columns.entry'),
    csv: ['kind', 'saleDescription', 'reason', 'refundKind'],
    cell: (entry) => <EntryName entry={entry} />,
  }
  return [
    ...(wide ? [date, name] : [name, date]),
    {
      head: t('payouts.columns.lead'),
      field: 'leadName',
      cell: (entry) => <LeadOfEntry entry={entry} />,
      card: 'under',
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
      cell: ({ rate }) => (rate === null ? t('absent') : formatRate(rate)),
      card: 'figure',
    },
    {
      head: t('payouts.columns.base'),
      field: 'baseAmount',
      numeric: true,
      cell: ({ baseAmount }) => (
        <span className={styles.muted}>{baseAmount === null ? t('absent') : formatMoney(baseAmount, currency)}</span>
      ),
    },
    {
      head: t('payouts.columns.amount'),
      field: 'amount',
      numeric: true,
      cell: (entry) => <MoneyLink of={entry} />,
      card: 'figure',
      total: () => formatMoney(amount, currency),
    },
  ]
}
