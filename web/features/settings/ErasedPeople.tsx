import { useMemo } from 'react'
import type { Account } from '#contract/accounts.ts'
import { downloadErasures, type listErasures } from '#contract/people.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { columnsOf } from '../../shared/columns.tsx'
import { erasureWords } from '../../words/erasure.ts'
import { pageWords } from '../../words/shell.ts'
import { erasures } from './erasures.ts'

/** The erased people of the account, by their ids. */
export function ErasedPeople({ account }: { account: Account }) {
  const list = useList(erasures({ id: account.id }))
  const columns = useMemo(() => listColumns(account.timeZone), [account.timeZone])
  return (
    <DataTable
      headed
      searchable={false}
      page={pageWords.settings}
      name={erasureWords.erased}
      plural={erasureWords.plural}
      rowsAre="people"
      list={list}
      csv={{ endpoint: downloadErasures }}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ subject }) => subject.id}
      empty={{ hint: erasureWords.none }}
    />
  )
}

const { date, day } = columnsOf<typeof listErasures>()

const listColumns = (timeZone: string): ColumnOf<typeof listErasures>[] => [
  day('at', erasureWords.date, timeZone),
  { head: erasureWords.by, field: 'by', cell: ({ by }) => by ?? erasureWords.byRetention },
  {
    head: erasureWords.what,
    csv: ['subjectType', 'subjectId'],
    card: 'under',
    cell: ({ subject }) => `${erasureWords.types[subject.type]} ${subject.id}`,
  },
  date('recordsUntil', erasureWords.recordsUntil),
  date('backupsUntil', erasureWords.backupsUntil),
]
