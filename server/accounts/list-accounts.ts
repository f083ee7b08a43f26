import type { AccountWithStats } from '#contract/accounts.ts'
import type { Queryable } from '../database/pool.ts'
import type { Services } from '../services.ts'
import { accountStatsOf } from '../stats/read.ts'
import { presentAccount } from './accounts.ts'
import { type AccountListQuery, accountsPage } from './queries.ts'

/** All accounts of the install, each with its statistics: an administrator's list. */
export async function listAccounts(db: Queryable, services: Services, query: AccountListQuery) {
  const { items, ...rest } = await accountsPage(db, query)
  const stats = await accountStatsOf(
    db,
    items.map((row) => row.id),
  )
  const accounts = await Promise.all(
    items.map(
      async (row): Promise<AccountWithStats> => ({
        ...(await presentAccount(db, services, row.id, 'admin')),
        stats: stats.get(row.id)!,
      }),
    ),
  )
  return { items: accounts, ...rest }
}
