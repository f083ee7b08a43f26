import { getAccount, listAccounts } from '#contract/accounts.ts'
import { getAccountStats } from '#contract/stats.ts'
import { listQuery, type Opened, type Reads, read, type SearchOf } from '../../calls.ts'
import { type TableDefinition, tableQuery } from '../../lists/table-state.ts'

type Accounts = SearchOf<typeof listAccounts>

export const accountTable: TableDefinition<Accounts> = { list: 'accounts', sort: 'name', filters: ['status'] }

export const accounts = (search: Accounts) => listQuery(listAccounts, { search })
/** One row is enough to see if any account exists. */
export const anyAccount = accounts({ limit: 1 })
export const account = (id: string) => read(getAccount, { params: { id } })

/** All-time figures. */
export const accountStats = (id: string) => read(getAccountStats, { params: { id } })

export const readsOfAccounts = ({ search }: Opened): Reads => [accounts(tableQuery(search, accountTable))]

export const readsOfNewAccount = (): Reads => [anyAccount]

export const readsOfAccount = ({ params: { accountId } }: Opened<{ accountId: string }>): Reads => [
  account(accountId),
  accountStats(accountId),
]
