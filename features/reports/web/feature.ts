import type { SearchOf } from '#web/calls.ts'
import { webFeature } from '#web/feature.ts'
import type { TableSearch } from '#web/lists/table-state.ts'
import { defineScreen } from '#web/routes/screen-of.tsx'
import type { listReport, listSavedReports } from '../contract.ts'
import { readsOfReports, type reportTabs } from './queries.ts'

export const reports = webFeature({
  screens: [{ path: '/reports', allow: 'team', screen: defineScreen(() => import('./Reports.tsx'), readsOfReports) }],
})

declare module '#web/routes/searches.ts' {
  interface Searches {
    '/reports': { tab?: (typeof reportTabs)[number] } & TableSearch<
      SearchOf<typeof listReport> & SearchOf<typeof listSavedReports>
    > &
      Days
  }
}
