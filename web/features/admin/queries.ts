import { listAccounts } from '#contract/accounts.ts'
import { listQuery, type Opened, type Reads, type SearchOf } from '../../calls.ts'
import { tableOf, tableQuery } from '../../lists/table-state.ts'
import { account, accountStats } from '../../shell/queries.ts'

type Accounts = SearchOf<typeof listAccounts>

export const accountTable = tableOf<Accounts>()({ list: 'accounts', sort: 'name', filters: ['status'] })

export const accounts = (search: Accounts) => listQuery(listAccounts, { search })
/** One row is enough to see if any account exists. */
export const anyAccount = accounts({ limit: 1 })
export const readsOfAccounts = ({ search }: Opened): Reads => [accounts(tableQuery(search, accountTable))]

export const readsOfNewAccount = (): Reads => [anyAccount]

export const readsOfAccount = ({ params: { accountId } }: Opened<{ accountId: string }>): Reads => [
  account(accountId),
  accountStats(accountId),
]
