import { defineWords } from '#contract/words.ts'
/** The words of its tab under Partners. */
export const announcementTabWords = defineWords('announcement-tab', 'partner', {
  label: 'Announcements',
  also: 'newsletter news broadcast messages emails to partners',
})
