import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { findNewest, hasAccepted } from './queries.ts'

/** Returns the newest version, if it was published since then. */
export async function publishedSince(db: Queryable, accountId: string, since: Date) {
  const newest = await findNewest(db, accountId)
  return newest && Date.parse(newest.publishedAt) > since.getTime() ? newest : undefined
}

/** Returns the active partners who accepted neither this version nor a newer one. */
export async function waitingPartners(db: Queryable, accountId: string, version: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>`
    select p.id from partners p
    where p.account_id = ${accountId} and p.state = 'active' and not ${hasAccepted(accountId, sql`p.id`, sql`${version}::int`)}
    order by p.id`
  return rows.map(({ id }) => id)
}

/** Returns the newest version while this partner waits to accept it. */
export async function agreementToAccept(db: Queryable, accountId: string, partnerId: string) {
  const newest = await findNewest(db, accountId)
  if (!newest) return undefined
  const has = await db.value<boolean>`
    select ${hasAccepted(accountId, sql`${partnerId}::uuid`, sql`${newest.version}::int`)} as has`
  return has ? undefined : newest
}
