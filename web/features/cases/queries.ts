import { listCases } from '#contract/cases.ts'
import { listQuery, type Opened, type Reads, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { isTeam } from '../../shared/roles.ts'

type Cases = SearchOf<typeof listCases>

export const caseTable = tableOf<Cases>()({ list: 'cases', filters: ['rule', 'partnerId', 'state'] })

export const cases = (accountId: string, search: Cases) => listQuery(listCases, { params: { id: accountId }, search })

export const readsOfCases = ({ role, search }: Opened): Reads =>
  isTeam(role) ? [cases(role.accountId, tableQuery(search, caseTable))] : []
