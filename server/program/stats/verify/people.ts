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

  'the contact of a partner is one of its owners, if it has any': sql`
    select p.id::text as subject, 'an owner' as expected, case when o.owners = 0 then 'none' else 'another contact' end as actual
    from partners p
      cross join lateral (
        select count(*) as owners, count(*) filter (where r.user_id = p.user_id) as contacts
        from user_roles r where r.account_id = p.account_id and r.partner_id = p.id and r.type = 'partner') o
    where (p.user_id is null) <> (o.owners = 0) or (o.owners > 0 and o.contacts = 0)`,

  // an archived partner may be left by all, and is paused
  'a partner that was never archived and had an owner has one': sql`
    select p.id::text as subject, 'an owner' as expected, 'none' as actual
    from partners p
    where p.state = 'active' and isempty(p.paused)
      and exists (select from invitations i
        where i.account_id = p.account_id and i.partner_id = p.id and i.status = 'accepted'
          and (i.kind = 'partner' or i.role = 'owner'))
      and not exists (select from user_roles r
        where r.account_id = p.account_id and r.partner_id = p.id and r.type = 'partner')`,
}
