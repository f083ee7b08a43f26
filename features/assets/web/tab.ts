import type { FeatureTab } from '#web/shared/feature-tab.ts'
import { assetTabWords } from '../tab-text.ts'

export const assetTab: FeatureTab = {
  under: 'partners',
  to: '/partners',
  search: { tab: 'assets' },
  words: assetTabWords,
  order: 1,
}
