import type { SearchOf } from '#web/calls.ts'
import { webFeature } from '#web/feature.ts'
import type { TableSearch } from '#web/lists/table-state.ts'
import { defineScreen } from '#web/routes/screen-of.tsx'
import { readsOfLeadCounts } from '#web/shared/tab-counts.ts'
import type { listClaims } from '../contract.ts'
import { readsOfClaim, readsOfClaims } from './queries.ts'

const ClaimList = defineScreen(
  () => import('./ClaimList.tsx'),
  (opened) => [...readsOfClaims(opened), ...readsOfLeadCounts(opened)],
)
const ClaimDetail = defineScreen(() => import('./ClaimDetail.tsx'), readsOfClaim)

export const claims = webFeature({
  screens: [
    { path: '/claims', allow: 'team', screen: ClaimList },
    { path: '/claims/$claimId', allow: 'team', screen: ClaimDetail },
  ],
})

declare module '#web/routes/searches.ts' {
  interface Searches {
    '/claims': TableSearch<SearchOf<typeof listClaims>>
  }
}
