import type { GroupReward } from '#contract/groups.ts'
import type { ListQuery } from '#contract/values.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import { joinSql, sql } from '#server/platform/database/sql.ts'
import { idFilter, listPage, valueFilter } from '#server/platform/http/list.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { entriesWithPayout } from '#server/program/commissions/entry-status.ts'
import { toReward } from '#server/program/payouts/payouts.ts'
import type { Reward, RewardSums } from '../contract.ts'

type Row = Omit<Reward, 'as' | 'units' | 'unitName'> & { givenAs: GroupReward }
type Query = ListQuery & { status?: string[] | undefined; partnerId?: string[] | undefined; since?: string | undefined }

/** Approved payouts of customers, and what is due to each of them on one day beside these. */
export const rewardsSql = ({ id, timeZone }: AccountFacts) => sql`(
  select o.id, o.id as payout_id, o.partner_id, o.reward as given_as, o.amount, o.currency,
    (o.approved_at at time zone ${timeZone})::date as due_on,
    case o.status when 'paid' then 'given' when 'failed' then 'failed' when 'returned' then 'failed' else 'due' end as status,
    case when o.status = 'paid' then o.paid_at end as given_at, o.external_reference as reference, o.created_at,
    o.updated_at as changed_at
  from payouts o
  where o.account_id = ${id} and o.reward is not null and o.status not in ('gathering', 'canceled')
  union all
  select min(t.id::text)::uuid, null, t.partner_id, g.reward, sum(t.amount)::bigint, min(t.currency),
    (t.available_at at time zone ${timeZone})::date, 'pending', null, null, min(t.created_at), max(t.created_at)
  from ${entriesWithPayout}
    join partners n on n.account_id = ${id} and n.id = t.partner_id
    join groups g on g.account_id = ${id} and g.id = n.group_id and g.kind = 'customers'
  where t.account_id = ${id} and p.id is null
  group by 3, 4, 7
  having sum(t.amount) <> 0) t`

/** Lists what customers have earned, with sums over all pages. */
export async function listRewards(db: Queryable, account: AccountFacts, query: Query) {
  const filters = [
    valueFilter(sql`t.status`, query.status),
    idFilter(sql`t.partner_id`, query.partnerId),
    query.since === undefined ? undefined : sql`t.changed_at >= ${query.since}::timestamptz`,
  ]
  const page = await listPage<Row>(db, query, {
    columns: sql`t.payout_id as id, t.partner_id, t.given_as, t.amount, t.currency, t.due_on, t.status, t.given_at,
      t.reference, (select n.external_id from partners n where n.account_id = ${account.id} and n.id = t.partner_id) as external_id`,
    from: rewardsSql(account),
    scope: sql`true`,
    filters,
  })
  const conditions = [sql`true`, ...filters.filter((filter) => filter !== undefined)]
  const totals = await db.many<RewardSums>`
    select t.given_as ->> 'as' as "as", t.given_as ->> 'unitName' as unit_name, count(*) as count,
      sum(t.amount / (t.given_as ->> 'unitValue')::bigint)::bigint as units, sum(t.amount)::bigint as amount
    from ${rewardsSql(account)} where ${joinSql(conditions, ' and ')}
    group by 1, 2 order by 1, 2`
  return { ...page, items: page.items.map(present), totals }
}

const present = ({ givenAs, ...row }: Row): Reward => ({ ...row, ...toReward(givenAs, row.amount) })
