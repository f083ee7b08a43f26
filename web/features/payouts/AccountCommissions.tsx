import { useMemo } from 'react'
import { type CommissionTotals, downloadCommissions, type listCommissions } from '#contract/balances.ts'
import { formatNumber } from '#contract/format.ts'
import { formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { entryColumns, entryFilters } from '../../shared/commission-entries.tsx'
import { daysFilter, partnerFilter } from '../../shared/filters.tsx'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { entryWords } from '../../words/commissions.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { tableWords } from '../../words/lists.ts'
import { payoutWords } from '../../words/payouts.ts'
import { pageWords } from '../../words/shell.ts'
import { commissions } from './queries.ts'

const column = defineColumns<typeof listCommissions>()

/** Every commission of the account, by sale: what is owed for a month, to whom, and why. */
export function AccountCommissions({ menu }: { menu: readonly Action[] }) {
  const { id: accountId, timeZone, defaultCurrency: currency } = useAccount()
  const list = useList(commissions({ id: accountId }))
  const { answer } = list
  const totals = answer.data?.totals
  const columns = useMemo(() => columnsFor(timeZone, totals, currency), [timeZone, totals, currency])
  return (
    <DataTable
      name={pageWords.commissions}
      page={pageWords.payouts}
      plural={entryWords.plural}
      searchable={false}
      rowsAre="entries"
      list={list}
      csv={{ endpoint: downloadCommissions, atHead: true, menu }}
      columns={columns}
      totalsOfAll
      nameOf={({ id }) => id}
      filters={[
        ...entryFilters(),
        partnerFilter('partner', fieldWords.partner, accountId),
        daysFilter(labelWords.saleDate, timeZone),
        daysFilter(payoutWords.commissions.dueOn, timeZone, ['dueFrom', 'dueTo']),
      ]}
      empty={{ icon: <PayoutsIcon />, hint: entryWords.none }}
    />
  )
}

const columnsFor = (
  timeZone: string,
  totals: CommissionTotals | undefined,
  currency: string,
): ColumnOf<typeof listCommissions>[] => {
  const { date, sale, layer, rate, amount, status, due } = entryColumns(timeZone)
  return [
    {
      ...date,
      sort: 'createdAt',
      total: () => totals && tableWords.counted.entries({ count: totals.count, total: formatNumber(totals.count) }),
    },
    { ...sale, card: 'under' },
    column.partner(fieldWords.partner, { field: 'partnerName', card: 'under' }),
    layer,
    rate,
    { ...amount, total: () => totals && formatMoney(totals.amount, currency) },
    status,
    { ...due, sort: 'availableAt' },
  ]
}
