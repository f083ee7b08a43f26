import type { FeatureTab } from '#web/shared/feature-tab.ts'
import { announcementTabWords } from '../tab-text.ts'

export const announcementTab: FeatureTab = {
  under: 'partners',
  to: '/partners',
  search: { tab: 'announcements' },
  words: announcementTabWords,
}
