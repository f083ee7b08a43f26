import { getApplication, listApplications } from '#contract/applications.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { partner } from '../../shared/queries.ts'
import { isAtPartner, isTeam, readsOfList } from '../../shared/roles.ts'

export const applications = defineList(listApplications, 'applications', { sort: '-appliedAt', filters: ['status'] })

export const application = (id: string) => read(getApplication, { params: { id } })

/** The number of applications waiting for a decision. */
export const waitingCount = (accountId: string) => ({
  ...read(listApplications, { params: { id: accountId }, query: { status: 'waiting', limit: 1 } }),
  select: ({ total }: { total: number }) => total,
})

export const readsOfApplications = readsOfList(applications)

/** The reads around the lists of partners: the count of the tab, and the code of the recruiting link. */
export function readsOfJoining({ role }: Pick<Opened, 'role'>): Reads {
  if (isAtPartner(role)) return [partner(role.partnerId)]
  return isTeam(role) ? [waitingCount(role.accountId)] : []
}
