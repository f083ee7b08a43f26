import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

export const applicationChecks: Checks = {
  'an approved application has one partner of its account, and no partner has two': sql`
    select a.id::text as subject, 'a partner of its own' as expected,
      case when p.id is null then 'none' else 'one of several' end as actual
    from applications a left join partners p on p.account_id = a.account_id and p.id = a.partner_id
    where (a.status = 'approved' or a.partner_id is not null) and (p.id is null or a.status <> 'approved'
      or exists (select from applications o
        where o.account_id = a.account_id and o.partner_id = a.partner_id and o.id <> a.id))`,
}
