-- A shop names its payments, customers and subscriptions, and another shop may give the names again: two systems of an
-- account both have an order 1001 and a customer 7.
alter table sales
  -- the provider's account or the incoming webhook that a sale came from; null of what the account has one of: its push
  -- API, sales by hand, and files
  add column shop_id uuid,
  -- the provider's account that tells of a sale which had come by another way
  add column told_by_shop_id uuid;

-- The leads that a shop's customers are.
create table shop_customers (
  account_id uuid not null,
  shop_id uuid not null,
  customer_id text not null,
  lead_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, shop_id, customer_id),
  foreign key (account_id, shop_id) references provider_shops (account_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);

-- The release before knows no shops of sales and keeps customers by provider.
create function shop_of_sale() returns trigger language plpgsql as $$
begin
  new.shop_id := (
    select shop_id from provider_connections where account_id = new.account_id and id = new.connection_id);
  return new;
end $$;
create trigger shop_of_sale before insert on sales for each row
  when (new.shop_id is null and new.connection_id is not null) execute function shop_of_sale();

create function shops_of_customer() returns trigger language plpgsql as $$
begin
  insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
  select new.account_id, id, new.customer_id, new.lead_id, new.created_at
  from provider_shops where account_id = new.account_id and provider = new.provider
  on conflict do nothing;
  return new;
end $$;
create trigger shops_of_customer after insert on lead_customers for each row execute function shops_of_customer();

-- Whoever paid as a guest is a lead that nothing names: the number of an order is no person's.
alter table leads drop constraint leads_check;
