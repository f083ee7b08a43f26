import { listErasures } from '#contract/people.ts'
import { listOf } from '../../lists/list-of.ts'

export const erasures = listOf(listErasures, 'erasures')
