-- outside a transaction
-- in batches
insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, at)
select o.account_id, o.id, o.partner_id, t.turn, t.kind, coalesce(t.amount, o.amount), t.at
from (
  select o.account_id, o.id, o.partner_id, o.amount from payouts o
  where (o.status in ('sent', 'paid', 'returned', 'canceled') or o.sent_at is not null)
    and not exists (select from payout_cash c where c.account_id = o.account_id and c.payout_id = o.id)
    and exists (select from cash_told t where t.account_id = o.account_id and t.payout_id = o.id)
  limit 2000) o
  cross join lateral (
    select t.turn, t.kind, t.amount, t.at from cash_told t where t.account_id = o.account_id and t.payout_id = o.id) t
on conflict do nothing;
