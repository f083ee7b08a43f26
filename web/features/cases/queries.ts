import { listCases } from '#contract/cases.ts'
import { listQuery, type SearchOf } from '../../calls.ts'
import { tableOf } from '../../lists/table-state.ts'

type Cases = SearchOf<typeof listCases>

export const caseTable = tableOf<Cases>()({ list: 'cases', filters: ['rule', 'partnerId', 'state'] })

export const cases = (accountId: string, search: Cases) => listQuery(listCases, { params: { id: accountId }, search })
