import { listAnnouncements } from '#contract/announcements.ts'
import { defineList } from '../../lists/list-of.ts'
import { readsOfList } from '../../shared/roles.ts'

export const announcements = defineList(listAnnouncements, 'announcements')

export const readsOfAnnouncements = readsOfList(announcements)
