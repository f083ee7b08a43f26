-- outside a transaction

create index concurrently if not exists provider_payments_to_read_again on provider_payments (shop_id, payment_key) where read_again

-- in batches
update provider_payments p set read_again = true
from (
  select k.account_id, k.shop_id, k.payment_key from provider_payments k
    join provider_shops h on h.account_id = k.account_id and h.id = k.shop_id
  where h.provider = 'stripe' and not k.read_again
    and exists (select from provider_objects o where o.account_id = k.account_id and o.shop_id = k.shop_id
      and o.payment_key = k.payment_key and o.kind in ('refund', 'mark'))
    and exists (select from provider_objects o where o.account_id = k.account_id and o.shop_id = k.shop_id
      and o.payment_key = k.payment_key and o.kind = 'charge' and (o.data->>'taken')::boolean and not o.data ? 'released')
  limit 2000) n
where p.account_id = n.account_id and p.shop_id = n.shop_id and p.payment_key = n.payment_key
