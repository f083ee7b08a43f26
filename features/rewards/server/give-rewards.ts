import type { Transaction } from '#server/platform/database/pool.ts'
import { sql } from '#server/platform/database/sql.ts'
import { eachNight } from '#server/program/access/each-night.ts'
import { approveRewards } from '#server/program/payouts/approve.ts'
import { gatherForRun } from '#server/program/payouts/jobs.ts'

/** Hour of the account's night in which due rewards are approved. */
const HOUR = 3

/** Names the customers at the provider who aren't named yet, by the first sale whose lead has the partner's external id. */
const nameCustomersBySales = (tx: Transaction, accountId: string) => tx.run`
  insert into partner_customers (account_id, partner_id, connection_id, customer_id, updated_at)
  select distinct on (n.id) n.account_id, n.id, c.id, s.customer_id, ${tx.now}
  from partners n
    join groups g on g.account_id = ${accountId} and g.id = n.group_id and g.reward ->> 'as' = 'credit'
    join provider_connections c on c.account_id = ${accountId} and c.id = (g.reward ->> 'connectionId')::uuid
    join leads l on l.account_id = ${accountId} and l.external_id = n.external_id
    join sales s on s.account_id = ${accountId} and s.lead_id = l.id and s.shop_id = c.shop_id and s.customer_id is not null
  where n.account_id = ${accountId} and not exists (
      select from partner_customers k where k.account_id = ${accountId} and k.partner_id = n.id)
    and not exists (
      select from partner_customers k
      where k.account_id = ${accountId} and k.connection_id = c.id and k.customer_id = s.customer_id)
  order by n.id, s.sale_date, s.id
  on conflict do nothing`

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
