import { NIL } from '../../../platform/database/ids.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Checks, compareTables, payoutMoves } from './checks.ts'

/** Whether an attempt is over: it can no longer move money. */
const isOver = sql`stage = 'over'`

/** Checks of payouts against their entries. */
export const payoutChecks: Checks = {
  'an approved payout is the sum of its entries': sql`
    select p.id::text as subject, p.amount::text as expected, coalesce(sum(e.amount), 0)::text as actual
    from payouts p
      left join payout_entries pe on pe.account_id = p.account_id and pe.payout_id = p.id and pe.live
      left join commission_entries e on e.account_id = pe.account_id and e.id = pe.entry_id
    where p.status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed')
    group by p.id, p.account_id, p.amount having p.amount <> coalesce(sum(e.amount), 0)`,

  'a payout that is not approved, or canceled, holds nothing': sql`
    select p.id::text as subject, '0' as expected, count(*)::text as actual
    from payouts p join payout_entries pe on pe.account_id = p.account_id and pe.payout_id = p.id and pe.live
    where p.status in ('gathering', 'canceled') group by p.id, p.account_id`,

  'a payout holds entries of its own partner and currency alone': sql`
    select pe.payout_id::text as subject, coalesce(p.partner_id || ' ' || p.currency, 'a payout of its account') as expected,
      coalesce(e.partner_id || ' ' || e.currency, 'none of its account') as actual
    from payout_entries pe
      left join payouts p on p.account_id = pe.account_id and p.id = pe.payout_id
      left join commission_entries e on e.account_id = pe.account_id and e.id = pe.entry_id
    where pe.live and (e.partner_id is distinct from p.partner_id or e.currency is distinct from p.currency)`,

  "a payout is in its account's currency, numbered by it, and its partner's": sql`
    select p.id::text as subject, a.default_currency || ', a number up to ' || coalesce(pa.last_statement_number, 0) as expected,
      p.currency || ', number ' || p.statement_number || ', of ' || coalesce(n.account_id::text, 'nobody') as actual
    from payouts p join accounts a on a.id = p.account_id
      left join payout_accounts pa on pa.account_id = p.account_id
      left join partners n on n.account_id = p.account_id and n.id = p.partner_id
    where p.currency <> a.default_currency or n.account_id is distinct from p.account_id
      or p.statement_number not between 1 and coalesce(pa.last_statement_number, 0)`,

  "a payout's entries were bound by its approval, and its period spans them": sql`
    select * from (
      select p.id::text as subject,
        min(pe.approved_at) || ' ' || max(pe.approved_at) || ', ' || min(e.day) || ' to ' || max(e.day) as expected,
        p.approved_at || ' ' || p.approved_at || ', ' || p.period_start || ' to ' || p.period_end as actual
      from payouts p join payout_entries pe on pe.account_id = p.account_id and pe.payout_id = p.id and pe.live
        join commission_entries e on e.account_id = pe.account_id and e.id = pe.entry_id
      group by p.id, p.account_id) p
    where expected is distinct from actual`,

  'a payout keeps the moment of its state': sql`
    select id::text as subject, 'the moment it was ' || status as expected,
      'approved ' || coalesce(approved_at::text, 'never') || ', sent ' || coalesce(sent_at::text, 'never')
        || ', paid ' || coalesce(paid_at::text, 'never') as actual
    from payouts p
    where (status = 'sent' and sent_at is null) or (status = 'paid') <> (paid_at is not null)
      or (method = 'manual' and sent_at is not null)
      or (status = 'paid' and method <> 'manual' and (sent_at > paid_at or (sent_at is null and exists (
        select from payout_attempts a where a.account_id = p.account_id and a.payout_id = p.id and a.method = p.method and not a.${isOver}))))
      or (status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed', 'returned')
        and (approved_at is null or method is null))`,

  'a payout keeps the day on which its money left': sql`
    select o.id::text as subject, coalesce(left_on.day::text, 'no day') as expected, coalesce(o.paid_on::text, 'no day') as actual
    from payouts o join accounts a on a.id = o.account_id
      cross join lateral (select (coalesce(o.sent_at, o.paid_at) at time zone a.time_zone)::date as day) left_on
    -- two time zones may be two days apart; a transfer that was recovered had left before it was known here
    where (o.status in ('sent', 'paid') and (o.paid_on is null or o.paid_on - left_on.day > 2
        or (left_on.day - o.paid_on > 2 and not exists (
          select from events e
          where e.account_id = o.account_id and e.subject_id = o.id and e.audited and e.type = 'payout.recovered'))))
      or (o.status not in ('sent', 'paid', 'processing') and o.paid_on is not null)`,

  'nothing is fixed of a payout before its approval': sql`
    select id::text as subject, 'nothing fixed' as expected, concat_ws(' ', 'amount ' || amount, method, period_start, period_end,
        details_version, approved_at, sent_at, paid_at, paid_on, 'tax ' || nullif(tax_amount, 0), invoice_terms, 'details ' || length(details_sealed), 'by ' || approved_by) as actual
    from payouts
    where status = 'gathering' and num_nonnulls(amount, method, period_start, period_end, details_sealed, details_version,
      approved_by, approved_at, sent_at, paid_at, paid_on, nullif(tax_amount, 0), invoice_terms) > 0`,

  'a payment file is the sum of its payouts': sql`
    select f.id::text as subject, f.count || ' of ' || f.amount || ' ' || f.currency as expected,
      count(p.payout_id) || ' of ' || coalesce(sum(p.pay_amount), 0) || ' ' || coalesce(min(o.currency), '') as actual
    from payment_files f
      left join payment_file_payouts p on p.account_id = f.account_id and p.file_id = f.id
      left join payouts o on o.account_id = p.account_id and o.id = p.payout_id
    group by f.account_id, f.id, f.count, f.amount, f.currency
    having count(p.payout_id) <> f.count or min(o.currency) is distinct from f.currency
      -- earlier releases did not store what a file pays
      or (bool_and(p.pay_amount is not null) and sum(p.pay_amount) <> f.amount)`,

  'a payout is in one live file at most, for as long as it is approved for what the file pays': sql`
    select p.payout_id::text as subject, 'approved by ' || f.method || ' for ' || o.amount || ', in one file' as expected,
      o.status || ' by ' || coalesce(o.method, 'none') || ' for ' || coalesce(p.amount, o.amount) || ', in ' || p.files as actual
    from (
      select account_id, payout_id, file_id, amount, live, count(*) over (partition by account_id, payout_id) as files
      from payment_file_payouts where live) p
      join payment_files f on f.account_id = p.account_id and f.id = p.file_id
      join payouts o on o.account_id = p.account_id and o.id = p.payout_id
    where p.files > 1 or o.status <> 'approved' or o.method is distinct from f.method or p.amount <> o.amount`,

  'a payout has one transfer at a time': sql`
    select payout_id::text as subject, 'one' as expected, count(*)::text as actual
    from payout_attempts where not ${isOver} group by account_id, payout_id having count(*) > 1`,

  'a payment has a key and a number of its own': sql`
    select min(id::text) as subject, 'once' as expected, count(*) || ' times ' || named as actual from (
      select id, account_id, null as method, customer_transaction_id::text as named from payout_attempts
      union all
      select id, account_id, method, payment_number::text from payout_attempts where payment_number is not null) asked
    group by account_id, method, named having count(*) > 1`,

  'what is on its way is what was approved': sql`
    select a.id::text as subject, concat_ws(' ', o.pay_amount, o.currency, o.details_version, o.method) as expected,
      concat_ws(' ', a.amount, a.currency, a.details_version, a.method) as actual
    from payout_attempts a join payouts o on o.account_id = a.account_id and o.id = a.payout_id
    where not a.${isOver} and a.amount is not null
      and o.status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'returned')
      and (a.amount, a.currency, a.details_version, a.method) is distinct from (o.pay_amount, o.currency, o.details_version, o.method)`,

  'a payout stands where its last move left it': sql`
    select o.id::text as subject, e.to_status as expected, o.status as actual
    from payouts o join lateral (
      select m.to_status from ${payoutMoves} m where m.account_id = o.account_id and m.payout_id = o.id order by m.id desc limit 1) e on true
    where e.to_status <> o.status`,

  'each move of a payout begins where the one before ended': sql`
    select * from (
      select m.id::text as subject, lag(m.to_status) over (partition by m.account_id, m.payout_id order by m.id) as expected,
        m.from_status as actual
      from ${payoutMoves} m) e
    where expected <> actual`,

  // balances of many partners are computed from this (server/program/payouts/partner-balances.ts)
  'what a partner has earned is their share and what was given by hand': sql`
    with earned as (select account_id, partner_id, sum(amount) as amount from commission_entries group by 1, 2),
      known as (
        select account_id, partner_id, sum(amount) as amount from (
          select account_id, partner_id, share as amount from total_stats
          where blueprint_id = ${NIL} and partner_id <> ${NIL} and share <> 0
          union all
          select account_id, partner_id, amount from commission_entries where sale_id is null and lead_id is null
        ) parts group by 1, 2)
    ${compareTables(sql`earned`, sql`known`, ['account_id', 'partner_id'], ['amount'])}`,

  'nobody is paid more than they have earned': sql`
    select subject, 'at most ' || most as expected, paid::text as actual from (
      select e.partner_id::text as subject,
        coalesce(sum(e.amount) filter (where e.amount > 0 and e.kind in ('earned', 'adjustment', 'bonus')), 0) as most,
        coalesce(sum(e.amount) filter (where pe.live), 0) as paid
      from commission_entries e left join payout_entries pe on pe.account_id = e.account_id and pe.entry_id = e.id and pe.live
      group by e.account_id, e.partner_id) p
    where paid > most`,
}
