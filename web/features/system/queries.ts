import { getSystem, listParked } from '#contract/system.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'

type Search = SearchOf<typeof listParked>

export const parkedTable = tableOf<Search>()({ list: 'parked', filters: ['kind'] })

/** Poll interval while the page is visible. */
const AGAIN_MS = 5000

export const system = { ...read(getSystem), refetchInterval: AGAIN_MS }

export const parked = (search: Search) => ({ ...listQuery(listParked, { search }), refetchInterval: AGAIN_MS })

export const readsOfSystem = ({ search }: Opened): Reads => [system, parked(tableQuery(search, parkedTable))]
