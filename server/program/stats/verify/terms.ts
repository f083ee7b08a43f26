import { sql } from '../../../platform/database/sql.ts'
import type { Checks } from './checks.ts'

/** Rates as stored with each account, link and partner. */
const shownRates = sql`(
  select id as account_id, id, layer_rates_ppm from accounts
  union all select account_id, id, layer_rates_ppm from link_blueprints
  union all select account_id, id, layer_rates_ppm from partners)`

/** Checks of terms, of the rates shown, and of every sale's terms against the log up to what its booking saw. */
export const termsChecks: Checks = {
  'the terms of an account are numbered without a gap': sql`
    select a.id::text as subject, '1 to ' || greatest(1, count(l.number)) as expected,
      coalesce(min(l.number) || ' to ' || max(l.number), 'none') as actual
    from accounts a left join terms_log l on l.account_id = a.id
    group by a.id having min(l.number) is distinct from 1 or max(l.number) <> count(l.number)`,

  'rates shown are those of the newest terms': sql`
    select r.id::text as subject, rates_of_terms(n.terms)::text as expected, r.layer_rates_ppm::text as actual
    from ${shownRates} r left join lateral (
      select l.terms from terms_log l where l.account_id = r.account_id and l.subject_id = r.id order by l.number desc limit 1) n on true
    where rates_of_terms(n.terms) is distinct from r.layer_rates_ppm`,

  'a sale has the terms that its booking found in force': sql`
    select s.id::text as subject, concat_ws(' ', t.number, 'of', t.subject, rates_of_terms(t.terms)) as expected,
      concat_ws(' ', s.number, 'of', s.source, s.rates) as actual
    from (
      select s.id, s.account_id, s.partner_id, s.blueprint_id, s.referred_at, c.*
      from sales s cross join lateral (
        select (s.credit ->> 'number')::integer as number, (s.credit ->> 'seen')::integer as seen,
          s.credit ->> 'source' as source,
          array(select jsonb_array_elements_text(s.credit -> 'ratesPpm'))::integer[] as rates) c
      where s.credit ? 'number') s
      left join lateral (
        -- of each subject the newest version up to the one seen that touches the customer
        select distinct on (l.terms is null, array_position('{partner,link,account}', l.subject)) l.*
        from (
          select distinct on (l.subject_id) l.* from terms_log l
          where l.account_id = s.account_id and l.subject_id in (s.partner_id, s.blueprint_id, s.account_id)
            and l.number <= s.seen and (l.applies_to = 'all-sales' or l.saved_at <= s.referred_at)
          order by l.subject_id, l.number desc) l
        order by l.terms is null, array_position('{partner,link,account}', l.subject) limit 1) t on true
    where (t.number, t.subject, rates_of_terms(t.terms)) is distinct from (s.number, s.source, s.rates)`,
}
