-- By what rows of files are known again that name no ID of their sale, and by what orders are; a sale that was taken back
-- with its import is not.
create table imported_sales (
  account_id uuid not null,
  key text not null check (length(key) <= 100),
  sale_id uuid not null,
  foreign key (account_id, sale_id) references sales (account_id, id),
  primary key (account_id, key)
);
create index imported_sales_of_sale on imported_sales (account_id, sale_id);

-- What of an import was settled as paid elsewhere, by currency, how many known leads got their partner by it, and what it
-- warns of beside its rows.
alter table imports add column settled jsonb not null default '[]';
alter table imports add column assigned integer not null default 0 check (assigned >= 0);
alter table imports add column warnings jsonb not null default '[]';
