import { listAccounts } from '#contract/accounts.ts'
import { listMembers } from '#contract/members.ts'
import { apiQuery, type Opened, type Reads } from '../../calls.ts'
import { defineList } from '../../lists/list-of.ts'
import { accountQuery, accountStatsQuery } from '../../shell/queries.ts'

export const accounts = defineList(listAccounts, 'accounts', { sort: 'name', filters: ['status'] })(undefined)
/** One row is enough to see if any account exists. */
export const anyAccount = accounts.page({ limit: 1 })
export const readsOfAccounts = ({ search }: Opened): Reads => [accounts.at(search)]

/** All people of an account's team, of whom there are at most fifty. */
export const membersQuery = (id: string) =>
  apiQuery(listMembers, { params: { id }, query: { limit: 100, sort: 'role' } })

export const readsOfNewAccount = (): Reads => [anyAccount]

export const readsOfAccount = ({ params: { accountId } }: Opened<{ accountId: string }>): Reads => [
  accountQuery(accountId),
  accountStatsQuery(accountId),
  membersQuery(accountId),
]
