import { defineList } from '#web/lists/list-of.ts'
import { readsOfList } from '#web/shared/roles.ts'
import { listCases } from '../contract.ts'

export const cases = defineList(listCases, 'cases', { filters: ['rule', 'partnerId', 'state'] })

export const readsOfCases = readsOfList(cases)
