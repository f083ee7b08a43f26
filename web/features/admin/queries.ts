import { listAccounts } from '#contract/accounts.ts'
import { listMembers } from '#contract/members.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { account, accountStats } from '../../shell/queries.ts'

type Accounts = SearchOf<typeof listAccounts>

export const accountTable = tableOf<Accounts>()({ list: 'accounts', sort: 'name', filters: ['status'] })

export const accounts = (search: Accounts) => listQuery(listAccounts, { search })
/** One row is enough to see if any account exists. */
export const anyAccount = accounts({ limit: 1 })
export const readsOfAccounts = ({ search }: Opened): Reads => [accounts(tableQuery(search, accountTable))]

/** All people of an account's team, of whom there are at most fifty. */
export const members = (id: string) => read(listMembers, { params: { id }, query: { limit: 100, sort: 'role' } })

export const readsOfNewAccount = (): Reads => [anyAccount]

export const readsOfAccount = ({ params: { accountId } }: Opened<{ accountId: string }>): Reads => [
  account(accountId),
  accountStats(accountId),
  members(accountId),
]
