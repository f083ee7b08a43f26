import { getCohorts, listReport, listSavedReports } from '#contract/reports.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'
import { type DateRange, rangeIn } from '../../ui/date-ranges.ts'

type Reported = SearchOf<typeof listReport>

export const reportTabs = ['report', 'cohorts', 'saved'] as const

export const reportTable = tableOf<Reported>()({
  list: 'report',
  sort: '-revenue',
  filters: ['by', 'partnerId'],
})

/** Each call adds up some of the days that have changed: it is repeated until none is left. */
const untilAddedUp = {
  refetchInterval: ({ state }: { state: { data?: { waiting: number } | undefined } }) =>
    state.data && state.data.waiting > 0 ? 1000 : false,
} as const

export const report = (id: string, { from, to }: DateRange, search: Reported) => ({
  ...listQuery(listReport, { params: { id, range: `${from}..${to}` }, search }),
  ...untilAddedUp,
})

export const cohorts = (id: string, { from, to }: DateRange) => ({
  ...read(getCohorts, { params: { id, range: `${from}..${to}` } }),
  ...untilAddedUp,
})

export const savedTable = tableOf<SearchOf<typeof listSavedReports>>()({ list: 'saved-reports', sort: 'name' })

export const savedReports = (id: string, search: SearchOf<typeof listSavedReports>) =>
  listQuery(listSavedReports, { params: { id }, search })

export function readsOfReports({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const range = rangeIn(search, todayIn(timeZoneHere()))
  const tab = reportTabs.find((key) => key === search.tab) ?? 'report'
  if (tab === 'saved') return [savedReports(role.accountId, tableQuery(search, savedTable))]
  if (tab === 'cohorts') return [cohorts(role.accountId, range)]
  return [report(role.accountId, range, tableQuery(search, reportTable))]
}
