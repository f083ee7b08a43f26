import { signal } from '../../platform/events/happened.ts'

/** An announcement is to be mailed to its next readers, after this one. */
export const announcementSent = signal<{ announcementId: string; after: string | null }>('announcement.sent')
