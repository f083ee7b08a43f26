import { listAnnouncements } from '#contract/announcements.ts'
import { listOf } from '../../lists/list-of.ts'
import { readsOfList } from '../../shared/roles.ts'

export const announcements = listOf(listAnnouncements, 'announcements')

export const readsOfAnnouncements = readsOfList(announcements)
