import { getSystem, listParked } from '#contract/system.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'

/** Poll interval while the page is visible. */
const AGAIN_MS = 5000

export const systemQuery = { ...apiQuery(getSystem), refetchInterval: AGAIN_MS }

export const parked = defineList(listParked, 'parked', { filters: ['kind'], again: AGAIN_MS })(undefined)

export const readsOfSystem = ({ search }: Opened): Reads => [systemQuery, parked.at(search)]
