import { listCases } from '#contract/fraud-cases.ts'
import { defineList } from '../../lists/list-of.ts'
import { readsOfList } from '../../shared/roles.ts'

export const cases = defineList(listCases, 'cases', { filters: ['rule', 'partnerId', 'state'] })

export const readsOfCases = readsOfList(cases)
