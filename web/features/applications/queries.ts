import { getApplication, listApplications } from '#contract/applications.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { isAtPartner, isTeam, readsOfList } from '../../shared/roles.ts'

export const applications = defineList(listApplications, 'applications', { sort: '-appliedAt', filters: ['status'] })

export const applicationQuery = (id: string) => apiQuery(getApplication, { params: { id } })

/** The number of applications waiting for a decision. */
export const waitingCountQuery = (accountId: string) => ({
  ...apiQuery(listApplications, { params: { id: accountId }, query: { status: 'waiting', limit: 1 } }),
  select: ({ total }: { total: number }) => total,
})

export const readsOfApplications = readsOfList(applications)

/** The reads around the lists of partners: the count of the tab, and the code of the recruiting link. */
export function readsOfJoining({ role }: Pick<Opened, 'role'>): Reads {
  if (isAtPartner(role)) return [partnerQuery(role.partnerId)]
  return isTeam(role) ? [waitingCountQuery(role.accountId)] : []
}
