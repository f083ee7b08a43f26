import { listAudit } from '#contract/activity.ts'
import type { SearchOf } from '../calls.ts'
import { defineList } from '../lists/list-of.ts'

export type ActivitySearch = SearchOf<typeof listAudit>

/** The activity of an account, or of one thing in it. */
export const activityList = (id: string, subjectId?: string) =>
  defineList(listAudit, subjectId ? 'activity-of-one' : 'activity', {
    filters: [...(subjectId ? [] : (['action', 'subjectId'] as const)), ...(['actorId', 'from', 'to'] as const)],
    fixed: subjectId ? { subjectId } : undefined,
  })({ id })
