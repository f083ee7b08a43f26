import { webFeature } from '#web/feature.ts'
import { defineScreen } from '#web/routes/screen-of.tsx'
import { readsOfPartnerCounts } from '#web/shared/tab-counts.ts'
import { readsOfPromotionCodes } from './queries.ts'

const AllPromotionCodes = defineScreen(
  () => import('./AllPromotionCodes.tsx'),
  (opened) => [...readsOfPromotionCodes(opened), ...readsOfPartnerCounts(opened)],
)

export const promotionCodes = webFeature({
  screens: [{ path: '/promotion-codes', allow: 'team', screen: AllPromotionCodes }],
})
