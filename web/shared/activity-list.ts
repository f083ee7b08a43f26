import { listAudit } from '#contract/activity.ts'
import { listQuery, type SearchOf } from '../calls.ts'
import { tableOf } from '../lists/table-state.ts'

export type ActivitySearch = SearchOf<typeof listAudit>

/** The activity table of an account, or of one thing in it. */
export const activityTable = (subjectId?: string) =>
  tableOf<ActivitySearch>()({
    list: subjectId ? 'activity-of-one' : 'activity',
    filters: [...(subjectId ? [] : (['action', 'subjectId'] as const)), ...(['actorId', 'from', 'to'] as const)],
    fixed: subjectId ? { subjectId } : undefined,
  })

export const activity = (accountId: string, search: ActivitySearch) =>
  listQuery(listAudit, { params: { id: accountId }, search })
