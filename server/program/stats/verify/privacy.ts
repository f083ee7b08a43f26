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
      and (o.owners = 0 or o.contacts = 0)`,

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

  // money that had left, and payouts of an archive, whose people stayed behind, are recorded by one
  'a payout above the ceiling, approved while two people were needed, has two': sql`
    select o.id::text as subject, 'two people' as expected, coalesce('only ' || o.approved_by, e.actor_type) as actual
    from payouts o
      cross join lateral (
        select l.max_per_payout, l.approvals from payout_limits l
        where l.account_id = o.account_id and (l.in_force_at < o.approved_at
          or (l.in_force_at = o.approved_at and l.saved_at < l.in_force_at))
        order by l.in_force_at desc limit 1) l
      join events e on e.account_id = o.account_id and e.subject_id = o.id and e.at = o.approved_at and e.audited
        and (e.type = 'payout.approved' or (e.type = 'payout.paid' and o.method = 'manual'
          and e.data -> 'changes' -> 'status' ->> 'old' = 'due'))
    where l.approvals = 2 and o.pay_amount > l.max_per_payout and (o.approved_by is not null or e.actor_type = 'system')
      and not exists (select from payout_approvals a
        where a.account_id = o.account_id and a.payout_id = o.id and a.completed_at = o.approved_at
          and a.user_id <> o.approved_by and a.amount = o.amount
          and (o.details_version is null or a.details_version = o.details_version))`,
}
