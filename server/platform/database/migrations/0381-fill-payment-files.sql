-- outside a transaction
-- in batches
insert into payment_files (account_id, id, number, method, message_id, count, amount, currency, profile_id, created_at)
select f.account_id, f.id, f.number, 'csv', 'TRB-' || left(regexp_replace(a.public_id, '[^A-Za-z0-9]', '', 'g'), 12) || '-' || f.number, f.count, f.amount,
  f.currency, f.profile_id, f.exported_at
from (
  select b.account_id, md5(b.account_id || ' ' || extract(epoch from b.exported_at) || ' ' || b.profile_id)::uuid as id,
    row_number() over (partition by b.account_id order by b.exported_at, b.profile_id)::integer as number,
    count(*)::integer as count, coalesce(sum(coalesce(b.amount, o.amount)), 0)::bigint as amount,
    min(o.currency) as currency, b.profile_id, b.exported_at
  from (
    select distinct account_id from wise_batch_payouts w
    where not exists (select from payment_files p where p.account_id = w.account_id) limit 50) w
    join wise_batch_payouts b on b.account_id = w.account_id
    join payouts o on o.account_id = b.account_id and o.id = b.payout_id
  group by b.account_id, b.exported_at, b.profile_id) f
  join accounts a on a.id = f.account_id
on conflict do nothing

-- in batches
insert into payment_file_payouts (account_id, file_id, payout_id, turn, reference, recipient_id, amount, pay_amount, live)
select b.account_id, f.id, b.payout_id, 1, 'PO-' || o.statement_number, b.recipient_id, b.amount, b.amount,
  o.status = 'approved' and coalesce(o.method = 'csv', false)
from wise_batch_payouts b
  join payouts o on o.account_id = b.account_id and o.id = b.payout_id
  join payment_files f on f.account_id = b.account_id and f.created_at = b.exported_at and f.profile_id = b.profile_id
where not exists (
  select from payment_file_payouts p where p.account_id = b.account_id and p.payout_id = b.payout_id)
limit 2000
on conflict do nothing
