-- An account at a payment provider, as one of our accounts has it. What a provider tells belongs to its shop, whichever
-- connection told it, so that a new connection goes on where a former one ended.
create table provider_shops (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider text not null,
  livemode boolean not null,
  -- the provider's own id of it; null while its key does not tell
  external_id text,
  created_at timestamptz(3) not null,
  unique (account_id, id),
  unique (account_id, provider, livemode, external_id)
);

-- Connections whose key never told the provider's account share one shop per mode; those that stand beside each other
-- cannot be the same, so each gets its own.
alter table provider_connections add column shop_id uuid;
with places as (
  select id, account_id, provider, livemode, provider_account_id, created_at,
    case when provider_account_id is null and disconnected_at is null and row_number() over (
        partition by account_id, provider, livemode, provider_account_id, disconnected_at is null order by created_at, id) > 1
      then id end as beside
  from provider_connections),
shops as (
  select gen_random_uuid() as id, account_id, provider, livemode, provider_account_id, beside, min(created_at) as created_at
  from places group by account_id, provider, livemode, provider_account_id, beside),
made as (
  insert into provider_shops (id, account_id, provider, livemode, external_id, created_at)
  select id, account_id, provider, livemode, provider_account_id, created_at from shops)
update provider_connections c set shop_id = s.id
from places p join shops s on s.account_id = p.account_id and s.provider = p.provider and s.livemode = p.livemode
  and s.provider_account_id is not distinct from p.provider_account_id and s.beside is not distinct from p.beside
where p.id = c.id;
alter table provider_connections
  alter column shop_id set not null,
  add foreign key (account_id, shop_id) references provider_shops (account_id, id);
create unique index provider_connections_live on provider_connections (shop_id) where disconnected_at is null;
create index provider_connections_by_shop on provider_connections (shop_id, created_at);

-- Events: known once per shop. One that lacks what only the provider, or an exchange rate, can tell waits.
alter table provider_events add column shop_id uuid references provider_shops (id);
update provider_events e set shop_id = c.shop_id from provider_connections c where c.id = e.connection_id;
delete from provider_events e using (
  select id, row_number() over (partition by shop_id, external_id
    order by state = 'processed' desc, body is not null desc, received_at, id) as place
  from provider_events) d
where d.id = e.id and d.place > 1;
alter table provider_events
  alter column shop_id set not null,
  drop constraint provider_events_connection_id_external_id_key,
  add unique (shop_id, external_id),
  drop constraint provider_events_state_check,
  add check (state in ('received', 'processed', 'ignored', 'failed', 'waiting')),
  -- key: one that the provider accepts; answer: the provider has been away for long; rate: an exchange rate
  add column waits_for text check (waits_for in ('key', 'answer', 'rate'));
-- what failed for want of a key, and refunds and disputes that a later connection could not tie to their payment
update provider_events e set state = 'waiting',
  waits_for = case when c.disconnected_at is null then 'answer' else 'key' end
from provider_connections c
where c.id = e.connection_id and e.body is not null and (e.state = 'failed'
  or (e.state = 'processed' and (e.type like 'refund.%' or e.type like 'charge.refund%' or e.type like 'charge.dispute.%')
    and exists (select from provider_connections o where o.shop_id = c.shop_id and o.created_at < c.created_at)));
alter table provider_events add check ((state = 'waiting') = (waits_for is not null));
drop index provider_events_failed;
create index provider_events_open on provider_events (shop_id, received_at) where state in ('failed', 'waiting');

-- Of two sightings of one thing the later stage counts, between equals the newer.
alter table provider_objects add column shop_id uuid references provider_shops (id);
update provider_objects o set shop_id = c.shop_id from provider_connections c where c.id = o.connection_id;
delete from provider_objects o using (
  select ctid, row_number() over (partition by shop_id, payment_key, kind, object_id
    order by rank desc, at desc, connection_id desc) as place
  from provider_objects) d
where d.ctid = o.ctid and d.place > 1;
alter table provider_objects
  drop column connection_id,
  alter column shop_id set not null,
  add primary key (shop_id, payment_key, kind, object_id);
create index provider_objects_by_group on provider_objects (shop_id, group_key) where group_key is not null;
create index provider_objects_by_id on provider_objects (shop_id, kind, object_id);

alter table provider_payments add column shop_id uuid references provider_shops (id);
update provider_payments p set shop_id = c.shop_id from provider_connections c where c.id = p.connection_id;
update provider_payments p set applied = merged.applied, credited = merged.credited
from (
  select shop_id, payment_key, bool_or(credited) as credited,
    coalesce(jsonb_object_agg(told.name, told.said order by told.stage) filter (where told.name is not null), '{}') as applied
  from provider_payments
    left join lateral (
      select key as name, value as said,
        case value->>'status' when 'pending' then 0 when 'succeeded' then 1 else 2 end as stage
      from jsonb_each(applied)) told on true
  group by shop_id, payment_key having count(distinct connection_id) > 1) merged
where merged.shop_id = p.shop_id and merged.payment_key = p.payment_key;
delete from provider_payments p using (
  select ctid, row_number() over (partition by shop_id, payment_key order by connection_id) as place
  from provider_payments) d
where d.ctid = p.ctid and d.place > 1;
alter table provider_payments
  drop column connection_id,
  alter column shop_id set not null,
  add primary key (shop_id, payment_key);

-- A sale's amounts as they turned out to be otherwise: a second capture, a tax that was told late. Written once; the
-- cause of the entries that bring every layer to its share of the new amount.
create table sale_corrections (
  id uuid primary key,
  account_id uuid not null,
  sale_id uuid not null,
  amount_before bigint not null,
  tax_amount_before bigint not null,
  gross_amount_before bigint not null,
  account_amount_before bigint,
  amount bigint not null,
  tax_amount bigint not null,
  gross_amount bigint not null,
  account_amount bigint,
  reason text,
  actor text,
  created_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, sale_id) references sales (account_id, id)
);
create index sale_corrections_by_sale on sale_corrections (sale_id, created_at, id);
create trigger append_only before update or delete on sale_corrections for each row execute function refuse_change();
create trigger append_only_table before truncate on sale_corrections for each statement execute function refuse_change();

alter table commission_entries
  add column correction_id uuid,
  add foreign key (account_id, correction_id) references sale_corrections (account_id, id),
  add check (correction_id is null or (sale_id is not null and refund_id is null));
drop index commission_entries_once;
create unique index commission_entries_once on commission_entries
  (account_id, coalesce(refund_id, correction_id, sale_id), partner_id, layer, kind) where sale_id is not null;
