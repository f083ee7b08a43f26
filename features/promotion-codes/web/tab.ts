import type { FeatureTab } from '#web/shared/feature-tab.ts'
import { promotionCodeTabWords } from '../tab-text.ts'

export const promotionCodeTab: FeatureTab = {
  under: 'partners',
  to: '/promotion-codes',
  words: promotionCodeTabWords,
  order: -1,
  about: '/concepts/attribution',
}
