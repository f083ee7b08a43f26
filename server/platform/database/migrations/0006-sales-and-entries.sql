create table sales (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- null: a payment that matched nobody yet
  lead_id uuid,
  -- who earned when it was booked; never follows a later move of the lead
  partner_id uuid,
  blueprint_id uuid,
  provider text not null,
  connection_id uuid,
  external_id text,
  customer_id text,
  payer_email text,
  -- net of tax and shipping
  amount bigint not null check (amount between 0 and 1000000000000),
  tax_amount bigint not null default 0 check (tax_amount >= 0),
  -- what the customer paid; refunds and disputes are parts of it
  gross_amount bigint not null check (gross_amount between amount and 2000000000000),
  currency text not null,
  -- the net amount in the account's currency; null while no exchange rate is known
  account_amount bigint check (account_amount >= 0),
  account_currency text not null,
  fx_rate numeric,
  fx_date date,
  sale_date date not null,
  description text,
  subscription_id text,
  sequence integer not null default 1,
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and gross_amount),
  status text not null default 'completed'
    check (status in ('completed', 'partially-refunded', 'refunded', 'disputed', 'charged-back', 'void')),
  -- an open dispute
  disputed boolean not null default false,
  -- a fraud rule holds the commission until then, or until the owner releases it
  hold_rule text,
  held_until timestamptz(3),
  -- false: a fraud rule refused the commission for good
  credited boolean not null default true,
  matched_by text check (matched_by in ('click', 'code', 'lead-id', 'customer', 'external-id', 'coupon', 'email', 'manual')),
  metadata jsonb not null default '{}',
  void_reason text,
  created_by text,
  created_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, lead_id) references leads (account_id, id),
  foreign key (account_id, partner_id) references partners (account_id, id),
  foreign key (account_id, blueprint_id) references link_blueprints (account_id, id),
  check ((account_amount is null) = (fx_rate is null))
);
create unique index sales_external_id on sales (account_id, provider, external_id) where external_id is not null;
create index sales_by_created on sales (account_id, created_at, id);
create index sales_by_date on sales (account_id, sale_date, id);
create index sales_by_lead on sales (lead_id, created_at, id);
-- the next sale's number
create index sales_by_sequence on sales (lead_id, sequence);
create index sales_by_partner on sales (account_id, partner_id, created_at, id);
create index sales_by_subscription on sales (account_id, subscription_id, sale_date) where subscription_id is not null;
create index sales_waiting_for_rate on sales (account_id, currency) where account_amount is null;
create index sales_unattributed on sales (account_id, created_at, id) where partner_id is null;
create index sales_held on sales (held_until) where held_until is not null;

-- Money given back or contested. A dispute is pending while open, succeeded when lost, failed when won.
create table refunds (
  id uuid primary key,
  account_id uuid not null,
  sale_id uuid not null,
  kind text not null check (kind in ('refund', 'dispute')),
  provider text not null,
  external_id text,
  -- gross, in the sale's currency
  amount bigint not null check (amount > 0),
  status text not null check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  reason text,
  at timestamptz(3) not null,
  -- what it took from revenue, in the account's currency, and the days on which it did and gave back
  account_amount bigint not null default 0,
  counted_on date,
  restored_amount bigint not null default 0,
  restored_on date,
  created_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, sale_id) references sales (account_id, id)
);
create unique index refunds_external_id on refunds (account_id, provider, kind, external_id) where external_id is not null;
create index refunds_by_sale on refunds (sale_id, created_at, id);

-- The ledger. Rows are written once; a correction is another row.
create table commission_entries (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  sale_id uuid,
  refund_id uuid,
  partner_id uuid not null,
  layer smallint check (layer between 0 and 9),
  rate_ppm integer check (rate_ppm between 0 and 1000000),
  base_amount bigint,
  amount bigint not null check (amount <> 0 and amount between -1000000000000000 and 1000000000000000),
  currency text not null,
  kind text not null check (kind in ('earned', 'reversal', 'restoration', 'adjustment', 'bonus')),
  -- it corrects an entry that already stood in an approved payout: due at once, also while the sale is on hold
  clawback boolean not null default false,
  available_at timestamptz(3) not null,
  -- the day it counts in the statistics
  day date not null,
  reason text,
  actor text,
  created_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, sale_id) references sales (account_id, id),
  foreign key (account_id, refund_id) references refunds (account_id, id),
  foreign key (account_id, partner_id) references partners (account_id, id),
  check (kind not in ('earned', 'restoration') or amount > 0),
  check (kind <> 'reversal' or amount < 0),
  check ((kind in ('adjustment', 'bonus')) = (sale_id is null)),
  check (sale_id is null or (layer is not null and rate_ppm is not null and base_amount is not null))
);
create unique index commission_entries_once on commission_entries
  (account_id, coalesce(refund_id, sale_id), partner_id, layer, kind) where sale_id is not null;
create index commission_entries_by_partner on commission_entries (partner_id, available_at);
create index commission_entries_by_account on commission_entries (account_id, created_at, id);
create index commission_entries_by_sale on commission_entries (sale_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete on commission_entries for each row execute function refuse_change();
create trigger append_only_table before truncate on commission_entries for each statement execute function refuse_change();

-- What is reversed of a sale, less what is restored, lies between nothing and what was earned, per partner and layer.
create function check_reversals() returns trigger language plpgsql as $$
declare
  earned bigint;
  net bigint;
begin
  select coalesce(sum(amount) filter (where kind = 'earned'), 0), coalesce(sum(amount), 0) into earned, net
  from commission_entries
  where sale_id = new.sale_id and partner_id = new.partner_id and layer = new.layer;
  if net < 0 or net > earned then
    raise exception 'entries of sale % would leave % of % earned', new.sale_id, net, earned using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger reversals_within_earned after insert on commission_entries
  deferrable initially deferred for each row
  when (new.kind in ('reversal', 'restoration')) execute function check_reversals();

-- Units of `to_currency` for one of `from_currency`: an account's own, entered by hand.
create table account_exchange_rates (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  currency text not null,
  date date not null,
  rate numeric not null check (rate > 0),
  created_at timestamptz(3) not null,
  unique (account_id, currency, date)
);
-- Published reference rates: units of the currency for one euro.
create table euro_rates (
  currency text not null,
  date date not null,
  rate numeric not null check (rate > 0),
  primary key (currency, date)
);
