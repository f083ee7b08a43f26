import { Link } from '@tanstack/react-router'
import { reportPhrases } from '#contract/report-words.ts'
import { changeSavedReport, downloadSavedReports, type listSavedReports, type SavedReport } from '#contract/reports.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { rangeLabel } from '../../ui/DateRange.tsx'
import { toParams } from '../../ui/date-ranges.ts'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { basicWords } from '../../words/basic.ts'
import { reportWords as words } from '../../words/reports.ts'
import { pageWords } from '../../words/shell.ts'
import { savedReports } from './queries.ts'
import { DeleteReport, EditReport } from './SaveReport.tsx'

const column = defineColumns<typeof listSavedReports>()

/** The reports of an account that people saved, each a link to what it shows today. */
export function SavedReports({ accountId }: { accountId: string }) {
  const list = useList(savedReports({ id: accountId }))
  const may = usePermission()
  return (
    <DataTable
      name={words.saved}
      page={pageWords.reports}
      plural={words.savedPlural}
      rowsAre="items"
      list={list}
      csv={{ endpoint: downloadSavedReports, atHead: true }}
      columns={columns}
      nameOf={nameOf}
      actions={may(changeSavedReport) ? [EditReport, DeleteReport] : undefined}
      empty={{ icon: <PayoutsIcon />, hint: words.noneSaved }}
    />
  )
}

const nameOf = ({ name }: SavedReport) => name

const columns: ColumnOf<typeof listSavedReports>[] = [
  column.first(['name'], words.name, { sort: true }, ({ name, by, period, sort, search, partnerId }) => (
    <Link
      to="/reports"
      search={{
        ...(by !== 'partner' && { by }),
        ...(search && { search }),
        ...(partnerId && { partnerId }),
        sort,
        ...toParams(period),
      }}
    >
      {name}
    </Link>
  )),
  column.of('by', words.by, { card: 'under' }, ({ by }) => reportPhrases.dimensions[by]),
  column.of('period', words.period, { short: true }, ({ period }) => rangeLabel(period)),
  column.of('every', words.mailed, { short: true }, ({ every }) => words.everies[every ?? 'never']),
  column.of('savedBy', words.savedBy, {}, ({ savedBy }) => savedBy ?? basicWords.absent),
]
