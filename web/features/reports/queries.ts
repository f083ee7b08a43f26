import { getCohorts, listReport, listSavedReports, type ReportPeriod } from '#contract/reports.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { timeZoneHere, todayIn } from '../../format.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'
import { addDays, type DateRange, rangeIn } from '../../ui/date-ranges.ts'

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

/** Returns the days of a saved report as of today. */
export function daysOf(period: ReportPeriod, today: string): DateRange {
  const month = `${today.slice(0, 7)}-01`
  const back = { 'last-7-days': 6, 'last-30-days': 29, 'last-90-days': 89 }
  if (period in back) return { from: addDays(today, -back[period as keyof typeof back]), to: today }
  if (period === 'this-year') return { from: `${today.slice(0, 4)}-01-01`, to: today }
  if (period === 'this-month') return { from: month, to: today }
  const last = addDays(month, -1)
  return { from: `${last.slice(0, 7)}-01`, to: last }
}

export function readsOfReports({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const range = rangeIn(search, todayIn(timeZoneHere()))
  const tab = reportTabs.find((key) => key === search.tab) ?? 'report'
  if (tab === 'saved') return [savedReports(role.accountId, tableQuery(search, savedTable))]
  if (tab === 'cohorts') return [cohorts(role.accountId, range)]
  return [report(role.accountId, range, tableQuery(search, reportTable))]
}
