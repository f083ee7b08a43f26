import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

export const hostChecks: Checks = {
  'addresses given to partners begin with the account’s ready domain, or with none': sql`
    select a.id::text as subject, coalesce(h.name, 'none') as expected, coalesce(a.portal_host, 'none') as actual
    from accounts a left join hosts h on h.account_id = a.id and h.state = 'ready'
    where a.portal_host is distinct from h.name`,
}
