import { listAnnouncements } from '#contract/announcements.ts'
import { listQuery, type Opened, type Reads, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'

type Announcements = SearchOf<typeof listAnnouncements>

export const announcementTable = tableOf<Announcements>()({ list: 'announcements' })

export const announcements = (accountId: string, search: Announcements) =>
  listQuery(listAnnouncements, { params: { id: accountId }, search })

export const readsOfAnnouncements = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [announcements(role.accountId, tableQuery(search, announcementTable))] : []
