import { getApplication, listApplications } from '#contract/joining.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { partner } from '../../shared/queries.ts'
import { isAtPartner, isTeam } from '../../shared/roles.ts'

type Applications = SearchOf<typeof listApplications>

export const applicationTable = tableOf<Applications>()({
  list: 'applications',
  sort: '-appliedAt',
  filters: ['status'],
})

export const applications = (accountId: string, search: Applications) =>
  listQuery(listApplications, { params: { id: accountId }, search })

export const application = (id: string) => read(getApplication, { params: { id } })

/** The number of applications waiting for a decision. */
export const waitingCount = (accountId: string) => ({
  ...read(listApplications, { params: { id: accountId }, query: { status: 'waiting', limit: 1 } }),
  select: ({ total }: { total: number }) => total,
})

export const readsOfApplications = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [applications(role.accountId, tableQuery(search, applicationTable))] : []

/** The reads around the lists of partners: the count of the tab, and the code of the recruiting link. */
export function readsOfJoining({ role }: Pick<Opened, 'role'>): Reads {
  if (isAtPartner(role)) return [partner(role.partnerId)]
  return isTeam(role) ? [waitingCount(role.accountId)] : []
}
