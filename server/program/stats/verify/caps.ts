import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

const earnedBy = (account: ReturnType<typeof sql>) => sql`left join lateral (
  select sum(e.amount) as net, sum(e.amount) filter (where e.kind = 'restoration') as restored
  from commission_entries e
  where e.account_id = ${account} and e.sale_id = s.id and e.partner_id = s.partner_id and e.layer = 0) e on true`

/** A customer, month or year whose sales all have a cap of this kind may earn the largest of them, and what was restored. */
const beyond = (limit: ReturnType<typeof sql>, group: ReturnType<typeof sql>) => sql`
  select s.account_id::text || ' ' || s.partner_id as subject, sum(e.net) as net,
    max(${limit}) + coalesce(sum(e.restored), 0) as most
  from sales s join terms_log l on l.account_id = s.account_id and l.number = (s.credit ->> 'number')::integer
    ${earnedBy(sql`s.account_id`)}
  where s.given_commission is null and s.credit is not null
  group by s.account_id, s.partner_id, ${group}
  having bool_and(${limit} is not null)`

export const capChecks: Checks = {
  'pay for a lead under a cap keeps at most the room that others left': sql`
    select t.id::text as subject, 'at most ' || greatest(0, c.most - (t.cap ->> 'used')::bigint) as expected,
      t.cap ->> 'kept' as actual
    from (
        select l.id, l.account_id, k.credit, k.credit -> 'cap' as cap
        from leads l cross join lateral jsonb_each(l.credit) as k (event, credit)
        where jsonb_typeof(l.credit) = 'object' and k.credit ? 'cap') t
      join terms_log l on l.account_id = t.account_id and l.number = (t.credit ->> 'number')::integer
      cross join lateral (select (l.terms ->> case t.cap ->> 'kind'
        when 'month' then 'maxPerMonth' when 'year' then 'maxPerYear' end)::bigint as most) c
    where c.most is null or (t.cap ->> 'kept')::bigint > greatest(0, c.most - (t.cap ->> 'used')::bigint)
      or (t.cap ->> 'kept')::bigint > (t.cap ->> 'planned')::bigint`,

  'a sale under a cap keeps at most the room that others left': sql`
    select s.id::text as subject, 'at most ' || greatest(0, c.most - (s.credit -> 'cap' ->> 'used')::bigint) as expected,
      s.credit -> 'cap' ->> 'kept' as actual
    from sales s join terms_log l on l.account_id = s.account_id and l.number = (s.credit ->> 'number')::integer
      cross join lateral (select (l.terms ->> case s.credit -> 'cap' ->> 'kind'
        when 'customer' then 'maxPerCustomer' when 'month' then 'maxPerMonth' else 'maxPerYear' end)::bigint as most) c
    where s.credit ? 'cap' and (c.most is null
      or (s.credit -> 'cap' ->> 'kept')::bigint > greatest(0, c.most - (s.credit -> 'cap' ->> 'used')::bigint)
      or (s.credit -> 'cap' ->> 'kept')::bigint > (s.credit -> 'cap' ->> 'planned')::bigint)`,

  'a customer, month or year earns at most its cap, and what was restored': sql`
    select subject, 'at most ' || most as expected, net::text as actual from (
      ${beyond(sql`(l.terms ->> 'maxPerCustomer')::bigint`, sql`s.lead_id`)}
      union all
      ${beyond(sql`(l.terms ->> 'maxPerMonth')::bigint`, sql`date_trunc('month', s.sale_date)`)}
      union all
      ${beyond(sql`(l.terms ->> 'maxPerYear')::bigint`, sql`date_trunc('year', s.sale_date)`)}) earned
    where net > most`,
}
