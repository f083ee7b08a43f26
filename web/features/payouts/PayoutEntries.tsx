import { useMemo } from 'react'
import { downloadPayoutEntries, type listPayoutEntries, type Payout } from '#contract/payouts.ts'
import { formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { entryColumns } from '../../shared/commission-entries.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { fieldWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { entries } from './queries.ts'

/** The entries that the payout pays; they add up to its amount. */
export function PayoutEntries({ payout, timeZone, owns }: { payout: Payout; timeZone: string; owns: boolean }) {
  const list = useList(entries({ id: payout.id }))
  const { amount, currency } = payout
  const wide = useMediaQuery('(min-width: 768px)')
  const columns = useMemo(() => columnsFor({ amount, currency, timeZone, wide }), [amount, currency, timeZone, wide])
  return (
    <DataTable
      headed
      name={payoutWords.detail.entries}
      plural={payoutWords.detail.entriesPlural}
      searchable={false}
      rowsAre="entries"
      list={list}
      csv={{ endpoint: downloadPayoutEntries, onlyShown: !owns }}
      nameOf={({ id }) => id}
      empty={{ hint: payoutWords.detail.noEntries }}
      columns={columns}
    />
  )
}

type Shown = Pick<Payout, 'amount' | 'currency'> & { timeZone: string; wide: boolean }

function columnsFor({ amount, currency, timeZone, wide }: Shown): ColumnOf<typeof listPayoutEntries>[] {
  const { sale, lead, layer, rate, base, ...column } = entryColumns(timeZone)
  // A table row starts with its date; a card is headed by its name.
  const date = { ...column.date, card: 'figure' as const, total: () => fieldWords.total }
  return [
    ...(wide ? [date, sale] : [sale, date]),
    lead,
    layer,
    rate,
    base,
    { ...column.amount, total: () => formatMoney(amount, currency) },
  ]
}
