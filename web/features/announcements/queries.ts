import { listAnnouncements } from '#contract/announcements.ts'
import { listQuery, type SearchOf } from '../../calls.ts'
import { tableOf } from '../../lists/table-state.ts'

type Announcements = SearchOf<typeof listAnnouncements>

export const announcementTable = tableOf<Announcements>()({ list: 'announcements' })

export const announcements = (accountId: string, search: Announcements) =>
  listQuery(listAnnouncements, { params: { id: accountId }, search })
