import { apiQuery, type Opened, type Reads } from '#web/calls.ts'
import { timeZoneHere, todayIn } from '#web/format.ts'
import { defineList } from '#web/lists/list-of.ts'
import { isTeam } from '#web/shared/roles.ts'
import { type DateRange, rangeIn } from '#web/ui/date-ranges.ts'
import { getRewardReport } from '../../rewards/contract.ts'
import { getCohorts, listReport, listSavedReports } from '../contract.ts'

export const reportTabs = ['report', 'cohorts', 'rewards', 'saved'] as const

/** Each call adds up some of the days that have changed: it is repeated until none is left. */
const untilAddedUp = (data: { waiting: number } | undefined) => data !== undefined && data.waiting > 0 && 1000

const report = defineList(listReport, 'report', { sort: '-revenue', filters: ['by', 'partnerId'], again: untilAddedUp })

export const rangeReport = (id: string, { from, to }: DateRange) => report({ id, range: `${from}..${to}` })

export const cohortsQuery = (id: string, { from, to }: DateRange) => ({
  ...apiQuery(getCohorts, { params: { id, range: `${from}..${to}` } }),
  refetchInterval: ({ state }: { state: { data?: { waiting: number } | undefined } }) => untilAddedUp(state.data),
})

export const rewardsQuery = (id: string, { from, to }: DateRange) =>
  apiQuery(getRewardReport, { params: { id, range: `${from}..${to}` } })

export const savedReports = defineList(listSavedReports, 'saved-reports', { sort: 'name' })

export function readsOfReports({ role, search }: Opened): Reads {
  if (!isTeam(role)) return []
  const range = rangeIn(search, todayIn(timeZoneHere()))
  const tab = reportTabs.find((key) => key === search.tab) ?? 'report'
  if (tab === 'saved') return [savedReports({ id: role.accountId }).at(search)]
  if (tab === 'rewards') return [rewardsQuery(role.accountId, range)]
  if (tab === 'cohorts') return [cohortsQuery(role.accountId, range)]
  return [rangeReport(role.accountId, range).at(search)]
}
