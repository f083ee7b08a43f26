import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

/** The newest version of each account, group, link and partner. */
const newest = sql`(
  select distinct on (account_id, subject_id) account_id, subject_id, terms from terms_log
  where subject <> 'move' order by account_id, subject_id, number desc)`

/** Whether the booking of sale `s` saw row `l` of the log, and it touches the sale. */
const touches = sql`s.credit ? 'number' and l.number <= (s.credit ->> 'seen')::integer
  and (l.applies_to = 'all-sales' or l.saved_at <= s.referred_at)`

/**
 * The newest version of each subject that a sale's terms may come from, among those that its booking saw and that apply
 * to it.
 */
const touching = sql`
  select distinct on (s.account_id, s.id, l.subject_id) s.account_id, s.id, l.number, l.subject, l.terms
  from sales s left join (
      select distinct on (s.account_id, s.id) s.account_id, s.id, l.group_id
      from sales s join terms_log l on l.account_id = s.account_id and l.partner_id = s.partner_id
      where ${touches} order by s.account_id, s.id, l.number desc) moved
    on moved.account_id = s.account_id and moved.id = s.id
    join terms_log l on l.account_id = s.account_id
      and l.subject_id in (s.partner_id, moved.group_id, s.blueprint_id, s.account_id)
  where ${touches}
  order by s.account_id, s.id, l.subject_id, l.number desc`

/** Percentages in parts per million; null for terms with anything else, which a credit does not store. */
const percentages = sql`case when t.terms -> 'rules' = '[]' and t.terms -> 'otherwise' ? 'layerRates'
  and num_nonnulls(t.terms ->> 'maxPerCustomer', t.terms ->> 'maxPerMonth', t.terms ->> 'maxPerYear') = 0 then to_jsonb(rates_of_terms(t.terms)) end`

/** Checks of terms, of the rates shown, and of every sale's terms against the log up to what its booking saw. */
export const termsChecks: Checks = {
  'the terms of an account are numbered without a gap, the first for all sales': sql`
    select a.id::text as subject, '1 to ' || coalesce(l.count, 1) || ', the first its own' as expected,
      coalesce(l.first || ' to ' || l.last || ', ' || l.origin, 'none') as actual
    from accounts a left join (
      select account_id, count(*) as count, min(number) as first, max(number) as last,
        max(subject || ' ' || applies_to) filter (where number = 1) as origin
      from terms_log group by account_id) l on l.account_id = a.id
    where l.first is distinct from 1 or l.last <> l.count or l.origin <> 'account all-sales'`,

  'rates shown are those of the newest terms': sql`
    with newest as materialized ${newest},
      shown as materialized (
        select id as account_id, id, layer_rates_ppm from accounts
        union all select account_id, id, layer_rates_ppm from link_blueprints
        union all select account_id, id, layer_rates_ppm from groups where id <> account_id
        union all select account_id, id, layer_rates_ppm from partners)
    select r.id::text as subject, rates_of_terms(n.terms)::text as expected, r.layer_rates_ppm::text as actual
    from shown r left join newest n on n.account_id = r.account_id and n.subject_id = r.id
    where rates_of_terms(n.terms) is distinct from r.layer_rates_ppm`,

  'every account has its default group': sql`
    select a.id::text as subject, 'a default group' as expected, 'none' as actual
    from accounts a left join groups g on g.account_id = a.id and g.id = a.id where g.id is null`,

  'a partner is in the group of the newest move, which is not deleted': sql`
    select p.id::text as subject, coalesce(m.group_id::text, 'default') as expected,
      concat_ws(' ', coalesce(p.group_id::text, 'default'), case when g.deleted_at is not null then 'deleted' end) as actual
    from partners p left join (
        select distinct on (account_id, partner_id) account_id, partner_id, group_id from terms_log
        where subject = 'move' order by account_id, partner_id, number desc) m
      on m.account_id = p.account_id and m.partner_id = p.id
      left join groups g on g.account_id = p.account_id and g.id = p.group_id
    where p.group_id is distinct from m.group_id or g.deleted_at is not null`,

  'a sale has the terms that its booking found in force': sql`
    select s.id::text as subject, concat_ws(' ', t.number, 'of', t.subject, ${percentages}) as expected,
      concat_ws(' ', s.credit ->> 'number', 'of', s.credit ->> 'source', s.credit ->> 'ratesPpm') as actual
    from sales s left join (
        select distinct on (account_id, id) account_id, id, number, subject, terms from (${touching}) touching
        where terms is not null order by account_id, id, array_position('{partner,group,link,account}', subject)) t
      on t.account_id = s.account_id and t.id = s.id
    where s.credit ? 'number' and (t.number, t.subject, ${percentages})
      is distinct from ((s.credit ->> 'number')::integer, s.credit ->> 'source', s.credit -> 'ratesPpm')`,
}
