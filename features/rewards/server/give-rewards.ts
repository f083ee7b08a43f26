import type { Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { eachNight } from '#server/program/access/each-night.ts'
import { approveRewards } from '#server/program/payouts/approve.ts'
import { gatherForRun } from '#server/program/payouts/jobs.ts'

/** Hour of the account's night in which due rewards are approved. */
const HOUR = 3

/**
 * Names the customers at the provider who aren't named yet at the connection of their group, by the first sale whose lead
 * has the partner's external id: of the customer whom an earlier connection had, if there is one.
 */
const nameCustomersBySales = (tx: Transaction, accountId: string) => tx.run`
  insert into partner_customers (account_id, partner_id, connection_id, customer_id, updated_at)
  select distinct on (f.connection_id, f.customer_id) ${accountId}, f.partner_id, f.connection_id, f.customer_id, ${tx.now}
  from (
    select distinct on (n.id) n.id as partner_id, c.id as connection_id, s.customer_id
    from partners n
      join groups g on g.account_id = ${accountId} and g.id = n.group_id and g.reward ->> 'as' = 'credit'
      join provider_connections c on c.account_id = ${accountId} and c.id = (g.reward ->> 'connectionId')::uuid
      left join partner_customers own on own.account_id = ${accountId} and own.partner_id = n.id
      join leads l on l.account_id = ${accountId} and l.external_id = n.external_id
      join sales s on s.account_id = ${accountId} and s.lead_id = l.id and s.shop_id = c.shop_id and s.customer_id is not null
    where n.account_id = ${accountId} and own.connection_id is distinct from c.id
      and not exists (
        select from partner_customers k
        where k.account_id = ${accountId} and k.connection_id = c.id and k.customer_id = s.customer_id)
    order by n.id, s.customer_id is distinct from own.customer_id, s.sale_date, s.id) f
  order by f.connection_id, f.customer_id, f.partner_id
  on conflict (partner_id, account_id) do update set connection_id = excluded.connection_id,
    customer_id = excluded.customer_id, problem = null, updated_at = excluded.updated_at`

/** Gathers due rewards each night, without minimum or payday, and approves those of groups that give them by themselves. */
export const giveRewards = eachNight(
  'give-rewards',
  HOUR,
  async (tx, account, services) => {
    await gatherForRun(tx, account)
    await nameCustomersBySales(tx, account.id)
    await approveRewards(tx, services, account)
  },
  () => sql`a.id in (select account_id from groups where kind = 'customers' and deleted_at is null)`,
)
