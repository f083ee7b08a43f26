import { defineList } from '#web/lists/list-of.ts'
import { readsOfList } from '#web/shared/roles.ts'
import { listAnnouncements } from '../contract.ts'

export const announcements = defineList(listAnnouncements, 'announcements')

export const readsOfAnnouncements = readsOfList(announcements)
