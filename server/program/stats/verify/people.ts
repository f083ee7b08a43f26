import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

export const peopleChecks: Checks = {
  'an account that had an owner has one, and an owner as its contact': sql`
    select a.id::text as subject, 'an owner' as expected, case when o.owners > 0 then 'another contact' else 'none' end as actual
    from accounts a
      cross join lateral (
        select count(*) as owners, count(*) filter (where r.user_id = a.owner_id) as contacts
        from user_roles r where r.account_id = a.id and r.type = 'account-owner') o
    where exists (select from invitations i
        where i.account_id = a.id and i.kind = 'owner' and i.status = 'accepted')
      and (o.owners = 0 or (o.contacts = 0 and not exists (select from invitations i
        where i.account_id = a.id and i.kind = 'owner' and i.user_id = a.owner_id
          and i.status not in ('accepted', 'revoked'))))`,
}
