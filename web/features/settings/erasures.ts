import { listErasures } from '#contract/privacy.ts'
import { defineList } from '../../lists/list-of.ts'

export const erasures = defineList(listErasures, 'erasures')
