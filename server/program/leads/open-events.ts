import type { Receipt } from '#contract/sales.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'

/** A provider's events of sales `s` that could not be booked: the sales may not have earned the right amount. */
export const openEventsOfSales = sql`provider_events e
  on e.account_id = s.account_id and e.sale_id = s.id and e.state in ('failed', 'waiting')`

export const listOpenEvents = (db: Queryable, accountId: string, saleId: string) => db.many<
  Receipt['openEvents'][number]
>`
  select e.id, e.connection_id, h.provider, e.type, e.state, e.error as reason, e.at
  from sales s join ${openEventsOfSales} join provider_shops h on h.account_id = e.account_id and h.id = e.shop_id
  where s.account_id = ${accountId} and s.id = ${saleId} order by e.at, e.id`
