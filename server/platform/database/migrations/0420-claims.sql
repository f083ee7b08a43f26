-- Partners' reports that a sale is missing.
create table claims (
  id uuid not null,
  account_id uuid not null,
  partner_id uuid not null,
  state text not null check (state in ('open', 'accepted', 'refused')),
  order_id text check (length(order_id) <= 200),
  -- as it is compared
  order_key text check (length(order_key) <= 400),
  email text check (length(email) <= 254),
  -- of a claim by e-mail
  day date,
  note text check (length(note) <= 1000),
  reason text check (length(reason) <= 500),
  -- a sale may be taken back and a lead deleted afterwards
  sale_id uuid,
  lead_id uuid,
  decided_at timestamptz(3),
  decided_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id, account_id),
  check ((order_id is null) = (order_key is null)),
  check ((order_id is null) <> (day is null)),
  check (email is null or day is not null),
  check ((state = 'open') = (decided_at is null)),
  check ((state = 'accepted') = (num_nonnulls(sale_id, lead_id) = 1))
);
create index claims_by_time on claims (account_id, created_at, id);
create index claims_of_partner on claims (account_id, partner_id, created_at, id);
create index claims_by_order on claims (account_id, order_key) where order_key is not null;
create index claims_by_email on claims (account_id, email) where email is not null;
create index claims_open on claims (account_id, created_at, id) where state = 'open';
create unique index claims_open_by_order on claims (account_id, partner_id, order_key) where state = 'open';
create unique index claims_open_by_email on claims (account_id, partner_id, email, day) where state = 'open';
select place_with_account('claims');
alter table claims add foreign key (account_id) references accounts;
alter table claims add foreign key (account_id, partner_id) references partners (account_id, id) on delete cascade;
