import { listErasures } from '#contract/people.ts'
import { listQuery, type SearchOf } from '../../calls.ts'
import { tableOf } from '../../lists/table-state.ts'

type ErasureSearch = SearchOf<typeof listErasures>

export const erasuresTable = tableOf<ErasureSearch>()({ list: 'erasures', filters: [] })

export const erasures = (id: string, search: ErasureSearch) => listQuery(listErasures, { params: { id }, search })
