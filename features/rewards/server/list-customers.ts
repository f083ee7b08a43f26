import type { GroupReward } from '#contract/groups.ts'
import type { ListQuery } from '#contract/values.ts'
import { NIL } from '#server/platform/database/ids.ts'
import type { Queryable } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { idFilter, listPage, searchFilter, valueFilter } from '#server/platform/http/list.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import { isOfKind } from '#server/program/access/customer-groups.ts'
import { partnerNameSql, partnerSearch } from '#server/program/partner-directory/partner-names.ts'
import { toReward } from '#server/program/payouts/payouts.ts'
import type { ReferringCustomer } from '../contract.ts'

type Row = Omit<ReferringCustomer, 'as' | 'units' | 'unitName'> & { reward: GroupReward }
type Query = ListQuery & { groupId?: string[] | undefined; state?: string[] | undefined }

/** Lists the partners in groups of customers, with the number they referred and what they were given. */
export async function listCustomers(db: Queryable, { id: accountId, defaultCurrency }: AccountFacts, query: Query) {
  const name = partnerNameSql(sql`t`)
  const { items, ...rest } = await listPage<Row>(db, query, {
    columns: sql`t.id as partner_id, ${name} as display_name, t.external_id, t.group_id, g.name as group_name, t.state,
      coalesce(s.leads, 0) as referred, coalesce(r.rewards, 0) as rewards, coalesce(r.amount, 0) as amount, g.reward,
      ${defaultCurrency} as currency, r.last_on as last_reward_on, t.created_at`,
    from: sql`partners t
      join groups g on g.account_id = ${accountId} and g.id = t.group_id
      left join total_stats s on s.account_id = ${accountId} and s.partner_id = t.id and s.blueprint_id = ${NIL}
      cross join lateral (
        select count(*) as rewards, sum(amount)::bigint as amount, max(paid_on) as last_on from payouts
        where account_id = ${accountId} and partner_id = t.id and status = 'paid' and reward is not null) r`,
    scope: sql`t.account_id = ${accountId} and ${isOfKind(accountId, 'customers')}`,
    filters: [
      idFilter(sql`t.group_id`, query.groupId),
      valueFilter(sql`t.state`, query.state),
      searchFilter(partnerSearch, accountId, query.search),
    ],
    sorts: {
      name: { by: sql`lower(${name})`, type: 'text' },
      referred: { by: sql`coalesce(s.leads, 0)`, type: 'bigint' },
      rewards: { by: sql`coalesce(r.rewards, 0)`, type: 'bigint' },
      lastRewardOn: { by: sql`coalesce(r.last_on, '0001-01-01'::date)`, type: 'date' },
    },
  })
  return { items: items.map(present), ...rest }
}

const present = ({ reward, ...row }: Row): ReferringCustomer => ({ ...row, ...toReward(reward, row.amount) })
