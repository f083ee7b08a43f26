import { Link } from '@tanstack/react-router'
import { reportPhrases } from '#contract/report-words.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf } from '#web/lists/list-types.ts'
import { useList } from '#web/lists/useList.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { rangeLabel } from '#web/ui/DateRange.tsx'
import { toParams } from '#web/ui/date-ranges.ts'
import { PayoutsIcon } from '#web/ui/icons.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { basicWords } from '#web/words/basic.ts'
import { changeSavedReport, downloadSavedReports, type listSavedReports, type SavedReport } from '../contract.ts'
import { reportTabWords } from '../tab-text.ts'
import { reportWords as words } from '../text.ts'
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
      page={reportTabWords.label}
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
