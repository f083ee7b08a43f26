import { listCases } from '#contract/cases.ts'
import { listOf } from '../../lists/list-of.ts'
import { readsOfList } from '../../shared/roles.ts'

export const cases = listOf(listCases, 'cases', { filters: ['rule', 'partnerId', 'state'] })

export const readsOfCases = readsOfList(cases)
