-- Products, prices and SKUs that lines of sales named, each with the name it first had.
create table products_seen (
  account_id uuid not null,
  kind text not null check (kind in ('product', 'price', 'sku')),
  id text not null check (length(id) <= 100),
  name text check (length(name) <= 200),
  seen_at timestamptz(3) not null,
  primary key (account_id, kind, id)
);
select place_with_account('products_seen');
alter table products_seen add foreign key (account_id) references accounts;
