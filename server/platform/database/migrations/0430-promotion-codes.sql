-- Sales and revenue of each promotion code as sales store it, whichever partner the sales credit.
create table code_totals (
  account_id uuid not null,
  code text not null,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  last_used_at timestamptz(3),
  primary key (account_id, code)
) with (fillfactor=70);
select place_with_account('code_totals');
alter table code_totals add foreign key (account_id) references accounts;

-- The code as sales store it: PostgreSQL and the server don't capitalize every letter alike. Null: added by a server of
-- the release before, or not filled yet.
alter table promotion_codes
  add column used_code text,
  -- reserved for a code that its provider has yet to make: credits nobody, since it may be another's there
  add column pending boolean not null default false;

-- Under which a provider's account makes codes for partners; null: it makes none.
alter table provider_shops add column code_rule jsonb;

-- Codes made at payment providers. A row is written before the first call, and outlives its promotion code until the
-- provider has turned the code off.
create table made_codes (
  id uuid not null,
  account_id uuid not null,
  shop_id uuid not null,
  partner_id uuid not null,
  -- null: erased with the partner
  code text,
  -- its place among the candidates of the pattern, and the candidates that the provider refused as taken
  turn integer not null default 0,
  refused integer not null default 0,
  -- the provider's id
  made_id text,
  state text not null check (state in ('making', 'on', 'off', 'failed')),
  -- why it waits or failed
  reason text,
  -- the terms of the discount when the code was asked for
  rule jsonb not null,
  -- the promotion code was removed, so the code is turned off for good
  removed_at timestamptz(3),
  tries integer not null default 0,
  next_at timestamptz(3),
  -- no other worker takes it until then
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (id, account_id)
);
select place_with_account('made_codes');
alter table made_codes add foreign key (account_id) references accounts;
create unique index made_codes_once on made_codes (account_id, shop_id, partner_id) where removed_at is null;
create index made_codes_by_partner on made_codes (account_id, partner_id);
create index made_codes_due on made_codes (next_at) where next_at is not null;
