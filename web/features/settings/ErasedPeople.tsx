import { useMemo } from 'react'
import type { Account } from '#contract/accounts.ts'
import { downloadErasures, listErasures } from '#contract/privacy.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import { defineList } from '../../lists/list-of.ts'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { erasureWords } from '../../words/erasure.ts'
import { pageWords } from '../../words/shell.ts'

const column = defineColumns<typeof listErasures>()

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
      nameOf={({ subject }) => subject.id}
      empty={{ hint: erasureWords.none }}
    />
  )
}

const listColumns = (timeZone: string): ColumnOf<typeof listErasures>[] => [
  column.day('at', erasureWords.date, timeZone),
  column.of('by', erasureWords.by, {}, ({ by }) => by ?? erasureWords.byRetention),
  column.first(
    ['subjectType', 'subjectId'],
    erasureWords.what,
    { card: 'under' },
    ({ subject }) => `${erasureWords.types[subject.type]} ${subject.id}`,
  ),
  column.date('recordsUntil', erasureWords.recordsUntil),
  column.date('backupsUntil', erasureWords.backupsUntil),
]

const erasures = defineList(listErasures, 'erasures')
