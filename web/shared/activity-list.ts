import { listAudit } from '#contract/activity.ts'
import { listQuery, type SearchOf } from '../calls.ts'
import type { TableDefinition } from '../lists/table-state.ts'

export type ActivitySearch = SearchOf<typeof listAudit>

/** The activity table of an account, or of one thing in it. */
export const activityTable = (subjectId?: string): TableDefinition<ActivitySearch> =>
  subjectId
    ? { list: 'activity-of-one', filters: ['actorId', 'from', 'to'], fixed: { subjectId } }
    : { list: 'activity', filters: ['action', 'subjectId', 'actorId', 'from', 'to'] }

export const activity = (accountId: string, search: ActivitySearch) =>
  listQuery(listAudit, { params: { id: accountId }, search })
