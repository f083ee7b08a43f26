import { getApplication, listApplications } from '#contract/applications.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { isAtPartner, readsOfList } from '../../shared/roles.ts'
import { readsOfPartnerCounts } from '../../shared/tab-counts.ts'

export const applications = defineList(listApplications, 'applications', { sort: '-appliedAt', filters: ['status'] })

export const applicationQuery = (id: string) => apiQuery(getApplication, { params: { id } })

export const readsOfApplications = readsOfList(applications)

/** The reads around the lists of partners: the count of the tab, and the code of the recruiting link. */
export function readsOfJoining({ role }: Pick<Opened, 'role'>): Reads {
  if (isAtPartner(role)) return [partnerQuery(role.partnerId)]
  return readsOfPartnerCounts({ role })
}
