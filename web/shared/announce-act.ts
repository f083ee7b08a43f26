import { sendAnnouncement } from '#features/announcements/contract.ts'
import { lateAct } from '../ui/late-acts.tsx'
import { announcementWords } from '../words/announcements.ts'

/** Writes an announcement to some of the partners. */
export const announce = lateAct(async () => (await import('./Announce.tsx')).Announce, {
  label: announcementWords.announce,
  needs: sendAnnouncement,
})
