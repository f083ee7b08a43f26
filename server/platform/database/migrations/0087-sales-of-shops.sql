-- outside a transaction
create index concurrently if not exists sales_without_shop on sales (id)
  where shop_id is null and provider <> all ('{manual,api,import}');

-- in batches
-- Which incoming webhook a sale came by was not kept; an account with one had no other.
update sales s set shop_id = f.shop_id
from (
  select u.id, u.account_id, coalesce(c.shop_id, w.id) as shop_id
  from sales u
    left join provider_connections c on c.account_id = u.account_id and c.id = u.connection_id
    left join lateral (
      select min(h.id::text)::uuid as id from incoming_webhooks h
      where h.account_id = u.account_id and h.target = 'sale' and u.provider = 'incoming-webhook'
      having count(*) = 1) w on true
  where u.shop_id is null and u.provider <> all ('{manual,api,import}') and coalesce(c.shop_id, w.id) is not null
  limit 2000) f
where s.id = f.id and s.account_id = f.account_id;

-- in batches
-- Customers of most providers have ids that no other shop gives. Own systems number theirs: there the customer is of the
-- shop of their lead's first sale, else of the account's first.
insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
select k.account_id, s.id, k.customer_id, k.lead_id, k.created_at
from lead_customers k join provider_shops s on s.account_id = k.account_id and s.provider = k.provider
where not exists (
    select from shop_customers n
    where n.account_id = k.account_id and n.shop_id = s.id and n.customer_id = k.customer_id)
  and (k.provider <> 'generic' or s.id = coalesce(
    (select b.shop_id from sales b
      where b.account_id = k.account_id and b.lead_id = k.lead_id and b.provider = 'generic'
        and b.customer_id = k.customer_id and b.shop_id is not null
      order by b.created_at, b.id limit 1),
    (select o.id from provider_shops o
      where o.account_id = k.account_id and o.provider = 'generic' order by o.created_at, o.id limit 1)))
limit 2000
on conflict do nothing;

create unique index concurrently if not exists sales_of_shop on sales (account_id, external_id, provider, shop_id)
  nulls not distinct where external_id is not null;

-- Systems may number the refunds of each order anew.
create unique index concurrently if not exists refunds_of_sale on refunds (account_id, sale_id, kind, external_id)
  where external_id is not null;

-- What is pushed is named by the account's own ids.
create unique index concurrently if not exists refunds_pushed on refunds (account_id, external_id)
  where provider = 'api' and kind = 'refund' and external_id is not null;

drop index concurrently if exists sales_external_id;

drop index concurrently if exists refunds_external_id;

drop index concurrently if exists sales_without_shop;
