import type { FeatureTab } from '#web/shared/feature-tab.ts'
import { reportTabWords } from '../tab-text.ts'

export const reportTab: FeatureTab = {
  under: 'dashboard',
  to: '/reports',
  words: reportTabWords,
  about: '/concepts/reports',
}
