-- outside a transaction
-- in batches
update payouts o set paid_on = (coalesce(o.sent_at, o.paid_at) at time zone a.time_zone)::date
from accounts a where a.id = o.account_id and o.id in (
  select id from payouts where status in ('sent', 'paid') and paid_on is null and coalesce(sent_at, paid_at) is not null limit 2000);

-- What was paid in a year.
create index concurrently if not exists payouts_paid_on on payouts (account_id, paid_on) where status = 'paid';

drop index concurrently if exists payouts_paid;
