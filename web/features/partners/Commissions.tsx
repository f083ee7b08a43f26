import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PayoutForecast } from '#contract/balances.ts'
import { downloadPartnerCommissions, type listPartnerCommissions } from '#contract/sales.ts'
import { formatDateAt, formatMoney, formatMonthAndDay, todayIn } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { entryColumns, entryFilters } from '../../shared/commission-entries.tsx'
import { partnerForecastQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { useMediaQuery } from '../../ui/browser.ts'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { entryWords } from '../../words/commissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import { commissions } from './queries.ts'

const column = defineColumns<typeof listPartnerCommissions>()

/** A partner's entries, each with its receipt; those in one state add up to that part of the balance. */
export function Commissions({ partnerId, whole = false }: { partnerId: string; whole?: boolean }) {
  const { timeZone } = useAccount()
  const { data: coming } = useQuery(partnerForecastQuery(partnerId))
  const list = useList(commissions({ id: partnerId }))
  const { answer } = list
  const wide = useMediaQuery('(min-width: 768px)')
  const desk = useMediaQuery('(min-width: 1200px)')
  const total = answer.data?.totals.amount
  const columns = useMemo(
    () => columnsFor({ timeZone, total, wide, roomy: !wide || desk }),
    [timeZone, total, wide, desk],
  )
  return (
    <DataTable
      name={pageWords.commissions}
      plural={entryWords.plural}
      searchable={false}
      rowsAre="entries"
      list={list}
      csv={{ endpoint: downloadPartnerCommissions, onlyShown: !whole }}
      columns={columns}
      totalsOfAll
      nameOf={({ id }) => id}
      filters={[...entryFilters(), paydayFilter(coming, todayIn(timeZone))]}
      empty={{ icon: <PayoutsIcon />, hint: entryWords.none }}
    />
  )
}

/** The paydays of a partner's upcoming payments, and what is not paid on any. */
const paydayFilter = (coming: PayoutForecast | undefined, today: string) => ({
  name: 'payday' as const,
  label: entryWords.payday,
  choices: [
    ...(coming?.days ?? []).map(({ date }) => ({ value: date, label: formatMonthAndDay(date, today) })),
    ...(coming && coming.blocked.amount > 0 ? [{ value: 'blocked', label: entryWords.blocked }] : []),
  ],
})

/** On medium screens the amount needs the room: layer and base are in the receipt. */
type Shown = { timeZone: string; total: number | undefined; wide: boolean; roomy: boolean }

function columnsFor({ timeZone, total, wide, roomy }: Shown): ColumnOf<typeof listPartnerCommissions>[] {
  const { lead, layer, rate, base, amount, status, due, ...entry } = entryColumns(timeZone)
  const sale = { ...entry.sale, csv: ['kind', 'saleDescription', 'saleDate', 'reason', 'refundKind'] }
  const booked: ColumnOf<typeof listPartnerCommissions> = column.first(
    ['createdAt'],
    entryWords.columns.booked,
    { short: true, sort: true, total: () => fieldWords.total },
    ({ createdAt }) => formatDateAt(createdAt, timeZone),
  )
  return [
    // A table row starts with its date; a card is headed by its name.
    ...(wide ? [booked, sale] : [sale, booked]),
    lead,
    status,
    { ...due, sort: 'availableAt' },
    ...(roomy ? [layer] : []),
    rate,
    ...(roomy ? [base] : []),
    {
      ...amount,
      sort: 'amount',
      total: ([first]) => first && total !== undefined && formatMoney(total, first.currency),
    },
  ]
}
