import type { GroupReward } from '#contract/groups.ts'
import type { GroupKind } from '#contract/partners.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'

/** A group of customers, and whether its due rewards are approved every night. */
export type CustomerGroup = { id: string; reward: GroupReward; automatic: boolean }

/** Returns the account's groups of customers. */
export const customerGroups = (db: Queryable, accountId: string) => db.many<CustomerGroup>`
  select id, reward, automatic from groups
  where account_id = ${accountId} and kind = 'customers' and deleted_at is null order by id`

/** Returns the reward of each of these partners who is in a group of customers. */
export async function rewardsOfPartners(
  db: Queryable,
  accountId: string,
  partnerIds: string[],
): Promise<Map<string, GroupReward>> {
  const rows = await db.many<{ id: string; reward: GroupReward }>`
    select p.id, g.reward from partners p join groups g on g.account_id = ${accountId} and g.id = p.group_id
    where p.account_id = ${accountId} and p.id = any(${partnerIds}::uuid[]) and g.reward is not null`
  return new Map(rows.map(({ id, reward }) => [id, reward]))
}

/** Whether partner `t` is in a group of this kind. */
export function isOfKind(accountId: string, kind: GroupKind): Sql {
  const customers = sql`array(select id from groups where account_id = ${accountId} and kind = 'customers')`
  return kind === 'customers'
    ? sql`t.group_id = any(${customers})`
    : sql`(t.group_id is null or t.group_id <> all(${customers}))`
}

/** Returns the reward of one of these groups; undefined for a group of partners. */
export const rewardIn = (groups: readonly CustomerGroup[], id: string | null) =>
  groups.find((group) => group.id === id)?.reward
