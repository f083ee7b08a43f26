import type { SearchOf } from '#web/calls.ts'
import { webFeature } from '#web/feature.ts'
import type { TableSearch } from '#web/lists/table-state.ts'
import { defineScreen } from '#web/routes/screen-of.tsx'
import { readsOfLeadCounts } from '#web/shared/tab-counts.ts'
import type { listCases } from '../contract.ts'
import { readsOfCases } from './queries.ts'

const CaseList = defineScreen(
  () => import('./CaseList.tsx'),
  (opened) => [...readsOfCases(opened), ...readsOfLeadCounts(opened)],
)

export const fraudCases = webFeature({ screens: [{ path: '/cases', allow: 'team', screen: CaseList }] })

declare module '#web/routes/searches.ts' {
  interface Searches {
    '/cases': TableSearch<SearchOf<typeof listCases>>
  }
}
