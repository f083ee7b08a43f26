import { defineSignal } from '#server/platform/events/emit-event.ts'

/** An announcement is to be mailed to its next readers, after this one. */
export const announcementSent = defineSignal<{ announcementId: string; after: string | null }>('announcement.sent')
