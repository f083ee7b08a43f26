import { getSystem, listParked } from '#contract/system.ts'
import { type Opened, type Reads, read } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'

/** Poll interval while the page is visible. */
const AGAIN_MS = 5000

export const system = { ...read(getSystem), refetchInterval: AGAIN_MS }

export const parked = defineList(listParked, 'parked', { filters: ['kind'], again: AGAIN_MS })(undefined)

export const readsOfSystem = ({ search }: Opened): Reads => [system, parked.at(search)]
