import type { AccountWithStats } from '#contract/accounts.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Install } from '../../platform/services.ts'
import { getAccountStats } from '../stats/read.ts'
import { presentAccounts } from './accounts.ts'
import { type AccountListQuery, accountsPage, everyAccount } from './queries.ts'

/** All accounts of the install, as the command line shows them. */
export const allAccounts = everyAccount

/** Returns all accounts of the install with their statistics, for administrators. */
export async function listAccounts(db: Queryable, install: Install, query: AccountListQuery) {
  const { items, ...rest } = await accountsPage(db, query)
  const [accounts, stats] = await Promise.all([
    presentAccounts(db, install, items, 'admin'),
    getAccountStats(
      db,
      items.map((row) => row.id),
    ),
  ])
  return {
    items: accounts.map((account): AccountWithStats => ({ ...account, stats: stats.get(account.id)! })),
    ...rest,
  }
}
