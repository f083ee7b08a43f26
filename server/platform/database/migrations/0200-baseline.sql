create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- What is still unpaid after each of a partner's days: what falls due adds up until it reaches the threshold, and is
-- then paid whole. A day without a threshold pays nothing.
create function unpaid_after(unpaid bigint, amount bigint, threshold bigint) returns bigint
  language plpgsql immutable parallel safe as $$
begin
  if unpaid + amount >= threshold then return 0; end if;
  return unpaid + amount;
end
$$;

create aggregate carry(amount bigint, threshold bigint) (sfunc = unpaid_after, stype = bigint, initcond = '0');

-- The least id of a moment.
create function first_id_at(at timestamptz) returns uuid language sql immutable
  return (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- The moment of an id, to the millisecond.
create function time_of_id(id uuid) returns timestamptz language sql immutable
  return to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);

-- One row: what belongs to the install itself.
create table install (
  only_row boolean primary key default true check (only_row),
  key_check bytea not null,
  created_at timestamptz(3) not null default now(),
  -- Since when scheduled backups fail; null while they succeed. Administrators are told once of each such time.
  backups_failing_since timestamptz(3)
);

create table users (
  id uuid primary key,
  email text not null unique check ((email = lower(email)) and length(email) <= 254),
  first_name text,
  last_name text,
  -- null until the person has set one up
  password_hash text,
  preferences jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the person showed that the mailbox is theirs: by a link that only the mailbox, or an administrator, was
  -- given.
  verified_at timestamptz(3)
);

create table accounts (
  id uuid primary key check (id <> '00000000-0000-0000-0000-000000000000'),
  name text,
  public_id text not null unique,
  default_currency text not null default 'usd',
  layer_rates_ppm int[] not null default '{0}',
  invitations_from_partners boolean not null default false,
  partner_lead_submission boolean not null default false,
  partner_visibility jsonb not null default '{"leadNames": true, "leadEmails": false, "saleAmounts": true}',
  payout_delay int not null default 30 check (payout_delay in (0, 7, 14, 30, 45, 60, 90)),
  minimum_payout bigint not null default 0 check (minimum_payout >= 0 and minimum_payout <= '1000000000000'),
  time_zone text not null default 'America/New_York',
  lead_protection_days int not null default 90 check (lead_protection_days >= 0 and lead_protection_days <= 365),
  attribution_model text not null default 'last-touch' check (attribution_model in ('last-touch', 'first-touch')),
  recurring_months int check (recurring_months >= 1),
  self_referral_policy text not null default 'hold' check (self_referral_policy in ('allow', 'flag', 'hold',
    'refuse')),
  -- the person invited or in charge; the role itself stands in user_roles from acceptance on
  owner_id uuid references users,
  disabled_at timestamptz(3),
  disabled_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint accounts_rates check (cardinality(layer_rates_ppm) <= 10 and 0 <= all (layer_rates_ppm)
    and 1000000 >= all (layer_rates_ppm) and coalesce(layer_rates_ppm[1], 0) + coalesce(layer_rates_ppm[2], 0)
      + coalesce(layer_rates_ppm[3], 0) + coalesce(layer_rates_ppm[4], 0) + coalesce(layer_rates_ppm[5], 0)
      + coalesce(layer_rates_ppm[6], 0) + coalesce(layer_rates_ppm[7], 0) + coalesce(layer_rates_ppm[8], 0)
      + coalesce(layer_rates_ppm[9], 0) + coalesce(layer_rates_ppm[10], 0) <= 1000000)
);
create index accounts_by_created on accounts (created_at, id);
create index accounts_by_owner on accounts (owner_id);

create table user_roles (
  user_id uuid not null references users on delete cascade,
  type text not null check (type in ('admin', 'account-owner', 'partner')),
  account_id uuid references accounts,
  partner_id uuid,
  created_at timestamptz(3) not null,
  unique nulls not distinct (user_id, type, account_id, partner_id),
  constraint user_roles_check check ((type = 'admin') = (account_id is null)),
  constraint user_roles_check1 check ((type = 'partner') = (partner_id is not null))
);
create index user_roles_by_partner on user_roles (partner_id) where partner_id is not null;
create index user_roles_of_staff on user_roles (account_id, created_at) where type <> 'partner';

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  access_hash bytea not null unique,
  access_expires_at timestamptz(3) not null,
  -- which refresh token is the present one; its predecessors are derived from the same secret
  generation int not null default 0,
  -- when the password was last proved in this session
  confirmed_at timestamptz(3),
  user_agent text,
  address text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  -- 30 days after sign-in, however often refreshed
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index sessions_by_user on sessions (user_id, created_at);

-- Every refresh token a session ever had: a used one that comes back ends the session.
create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  generation int not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  unique (session_id, generation)
);

create table password_resets (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- Beside the link to a new password stands one that signs in once.
  sign_in_hash bytea unique,
  signed_in_at timestamptz(3)
);
create index password_resets_by_user on password_resets (user_id, created_at);

-- An invitation of an owner, of a partner, or of the first administrator (who has no e-mail yet).
create table invitations (
  id uuid primary key,
  kind text not null check (kind in ('administrator', 'owner', 'partner')),
  account_id uuid references accounts,
  partner_id uuid,
  email text,
  -- the person invited; made with the invitation when the e-mail is new
  user_id uuid references users,
  invited_by uuid references users,
  status text not null default 'pending' check (status in ('pending', 'sent', 'bounced', 'opened', 'accepted',
    'revoked')),
  -- the token is derived from id and count: a new sending makes the old link die
  send_count int not null default 1,
  sent_today int not null default 1,
  token_hash bytea not null unique,
  last_sent_at timestamptz(3) not null,
  sent_at timestamptz(3),
  opened_at timestamptz(3),
  accepted_at timestamptz(3),
  expires_at timestamptz(3) not null,
  last_error text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Names belong to the invitation until it is accepted: what one account calls somebody is nothing to another.
  first_name text,
  last_name text,
  -- Whether the owner may be shown the link of this sending; decided when it is sent.
  shareable boolean not null default false,
  constraint invitations_check check ((kind = 'administrator') = (account_id is null)),
  constraint invitations_check1 check ((kind = 'partner') = (partner_id is not null))
);
create unique index invitations_of_partner on invitations (partner_id) where kind = 'partner';
create index invitations_of_owner on invitations (account_id, created_at) where kind = 'owner';
create index invitations_by_user on invitations (user_id);

create table partners (
  id uuid not null,
  account_id uuid not null references accounts,
  parent_partner_id uuid,
  user_id uuid references users,
  first_name text,
  last_name text,
  email text not null check ((email = lower(email)) and length(email) <= 254),
  referral_code text not null check (referral_code ~ '^[a-z0-9-]{3,32}$'),
  -- null: the account's default applies
  layer_rates_ppm int[],
  approved_payout_years int[] not null default '{}',
  -- 'active' is shown as invited until somebody has accepted
  state text not null default 'active' check (state in ('active', 'suspended', 'archived')),
  state_reason text,
  tax_form jsonb,
  -- who invited, when it was a partner
  invited_by_partner_id uuid,
  created_on date not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Archived with the balance voided, for this reason: what comes back from a payout afterwards is voided too.
  void_reason text,
  -- the owner's own words about a partner, which no partner and no administrator reads
  note text check (length(note) <= 2000),
  -- The times at which a partner got no new credit, suspended or archived: a payment made meanwhile names nobody by
  -- their code, however late it is told of.
  paused tstzmultirange not null default '{}'::tstzmultirange,
  primary key (id, account_id),
  constraint partners_check check (parent_partner_id <> id),
  constraint partners_rates check (cardinality(layer_rates_ppm) <= 10 and 0 <= all (layer_rates_ppm)
    and 1000000 >= all (layer_rates_ppm) and coalesce(layer_rates_ppm[1], 0) + coalesce(layer_rates_ppm[2], 0)
      + coalesce(layer_rates_ppm[3], 0) + coalesce(layer_rates_ppm[4], 0) + coalesce(layer_rates_ppm[5], 0)
      + coalesce(layer_rates_ppm[6], 0) + coalesce(layer_rates_ppm[7], 0) + coalesce(layer_rates_ppm[8], 0)
      + coalesce(layer_rates_ppm[9], 0) + coalesce(layer_rates_ppm[10], 0) <= 1000000),
  foreign key (account_id, parent_partner_id) references partners(account_id, id)
);
create unique index partners_email on partners (account_id, email);
create index partners_by_created on partners (account_id, created_at, id);
create index partners_by_parent on partners (account_id, parent_partner_id, created_at, id);
create index partners_by_name on partners (account_id, lower(coalesce(NULLIF(TRIM(BOTH from ((coalesce(first_name,
  '') || ' ') || coalesce(last_name, ''))), ''), split_part(email, '@', 1))), id);
create index partners_search on partners using gin (account_id, lower(((((((coalesce(first_name,
  '') || ' ') || coalesce(last_name, '')) || ' ') || email) || ' ') || referral_code)) gin_trgm_ops);
create statistics partners_of_parents (dependencies) on account_id, parent_partner_id from partners;

-- Every code a partner has or had: the present one and the aliases that go on working.
create table referral_codes (
  account_id uuid not null,
  code text not null check (code ~ '^[a-z0-9-]{3,32}$'),
  partner_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, code),
  foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade
);
create index referral_codes_by_partner on referral_codes (partner_id);

create table link_blueprints (
  id uuid primary key,
  account_id uuid not null references accounts,
  key text not null unique check (key ~ '^[a-z0-9]{8}$'),
  name text not null,
  destination_url text not null,
  domain text not null,
  parameter_name text not null default 'ref',
  utm jsonb not null default '{}',
  cookie_days int not null default 90 check (cookie_days >= 1 and cookie_days <= 365),
  -- null: the account's
  attribution_model text check (attribution_model in ('last-touch', 'first-touch')),
  passthrough_query boolean not null default true,
  layer_rates_ppm int[],
  enabled boolean not null default true,
  -- deleted: in no list any more, while its addresses still lead on
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id),
  constraint link_blueprints_rates check (cardinality(layer_rates_ppm) <= 10 and 0 <= all (layer_rates_ppm)
    and 1000000 >= all (layer_rates_ppm) and coalesce(layer_rates_ppm[1], 0) + coalesce(layer_rates_ppm[2], 0)
      + coalesce(layer_rates_ppm[3], 0) + coalesce(layer_rates_ppm[4], 0) + coalesce(layer_rates_ppm[5], 0)
      + coalesce(layer_rates_ppm[6], 0) + coalesce(layer_rates_ppm[7], 0) + coalesce(layer_rates_ppm[8], 0)
      + coalesce(layer_rates_ppm[9], 0) + coalesce(layer_rates_ppm[10], 0) <= 1000000)
);
create index link_blueprints_by_created on link_blueprints (account_id, created_at, id) where archived_at is null;

-- A visit counted through a short link, or reported by the embed script or a push call.
create table clicks (
  id uuid not null,
  account_id uuid not null,
  blueprint_id uuid,
  partner_id uuid,
  day date not null,
  ip_hash bigint,
  user_agent_class text,
  country text,
  referrer_host text,
  landing_path text,
  is_bot boolean not null default false,
  is_unique boolean not null default true,
  source text not null check (source in ('redirect', 'embed', 'push')),
  at timestamptz(3) not null,
  primary key (id, account_id)
) partition by range (id);
-- the once-an-hour look-up of is_unique
create index clicks_by_visitor on clicks (((ip_hash # uuid_hash_extended(partner_id, (0)::bigint)))) where is_unique;

create table leads (
  id uuid not null,
  account_id uuid not null references accounts,
  partner_id uuid,
  blueprint_id uuid,
  click_id uuid,
  first_name text,
  last_name text,
  email text check (email = lower(email)),
  phone text,
  -- phone in E.164, for finding duplicates
  phone_e164 text,
  company text,
  external_id text,
  source text not null check (source in ('embed', 'manual', 'api', 'incoming-webhook', 'provider', 'import',
    'partner')),
  status text not null check (status in ('new', 'qualified', 'won', 'lost', 'rejected', 'expired', 'duplicate')),
  status_reason text,
  status_note text,
  shared_note text,
  protected_until timestamptz(3),
  landing_url text,
  referrer text,
  metadata jsonb not null default '{}',
  duplicate_of_id uuid,
  attribution_model text,
  matched_by text check (matched_by in ('click', 'code', 'coupon', 'manual', 'email')),
  attributed_at timestamptz(3),
  last_seen_at timestamptz(3),
  created_on date not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id, account_id),
  constraint leads_check1 check ((status = 'duplicate') = (duplicate_of_id is not null)),
  foreign key (account_id, blueprint_id) references link_blueprints(account_id, id),
  foreign key (account_id, duplicate_of_id) references leads(account_id, id),
  foreign key (account_id, partner_id) references partners(account_id, id)
);
create unique index leads_external_id on leads (account_id, external_id) where external_id is not null;
create index leads_by_created on leads (account_id, created_at, id);
create index leads_by_status on leads (account_id, status, created_at, id);
create index leads_by_partner on leads (account_id, partner_id, created_at, id);
create index leads_by_source on leads (account_id, source, created_at, id);
create index leads_by_email on leads (account_id, email) where email is not null;
create index leads_by_phone on leads (account_id, phone_e164) where phone_e164 is not null;
create index leads_by_protection on leads (protected_until) where status in ('new', 'qualified');
create index leads_by_blueprint on leads (account_id, blueprint_id, created_at, id) where blueprint_id is not null;
-- Finds the later registrations of a lead: on its page, and when it is deleted.
create index leads_by_first on leads (duplicate_of_id) where duplicate_of_id is not null;
-- Leads and partners by name, as an owner's list sorts them: without it each page works all names out and sorts them.
create index leads_by_name on leads (account_id, lower(coalesce(NULLIF(TRIM(BOTH from ((coalesce(first_name,
  '') || ' ') || coalesce(last_name, ''))), ''), NULLIF(company, ''), NULLIF(split_part(email, '@', 1), ''),
  NULLIF(phone, ''), NULLIF(external_id, ''), ('Lead ' || "right"(id::text, 6)))), id);
-- The lead of a click, which a payment that names only its click asks for.
create index leads_by_click on leads (click_id) where click_id is not null;
create index leads_search on leads using gin (account_id, lower(((((((((((coalesce(first_name,
  '') || ' ') || coalesce(last_name, '')) || ' ') || coalesce(email, '')) || ' ') || coalesce(company,
  '')) || ' ') || coalesce(external_id, '')) || ' ') || ltrim(coalesce(phone_e164, ''), '+'))) gin_trgm_ops);
create statistics leads_of_partners (dependencies) on account_id, partner_id from leads;

-- A lead's customers at payment providers: what matches a later payment to the lead.
create table lead_customers (
  account_id uuid not null,
  provider text not null,
  customer_id text not null,
  lead_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, provider, customer_id),
  foreign key (account_id, lead_id) references leads(account_id, id) on delete cascade
);

create table sales (
  id uuid not null,
  account_id uuid not null references accounts,
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
  amount bigint not null check (amount >= 0 and amount <= '1000000000000000'),
  tax_amount bigint not null default 0 check (tax_amount >= 0),
  -- what the customer paid; refunds and disputes are parts of it
  gross_amount bigint not null,
  currency text not null,
  -- the net amount in the account's currency; null while no exchange rate is known
  account_amount bigint check (account_amount >= 0),
  account_currency text not null,
  fx_rate numeric,
  fx_date date,
  sale_date date not null,
  description text,
  subscription_id text,
  sequence int not null default 1,
  refunded_amount bigint not null default 0,
  status text not null default 'completed' check (status in ('completed', 'partially-refunded', 'refunded',
    'disputed', 'charged-back', 'void')),
  -- an open dispute
  disputed boolean not null default false,
  -- a fraud rule holds the commission until then, or until the owner releases it
  hold_rule text,
  held_until timestamptz(3),
  -- false: a fraud rule refused the commission for good
  credited boolean not null default true,
  matched_by text check (matched_by in ('click', 'code', 'lead-id', 'customer', 'external-id', 'coupon', 'email',
    'manual')),
  metadata jsonb not null default '{}',
  void_reason text,
  created_by text,
  created_at timestamptz(3) not null,
  -- What a sale was credited by, as it stood then: {"ratesPpm": [...], "source": "partner"|"link"|"account", "line":
  -- [{"partnerId", "earns"}]}, the referrer first. Null while there is nothing to book: no partner, no exchange rate.
  credit jsonb,
  -- of a subscription's payment: the account's months when it was credited; null: no end
  recurring_months int check (recurring_months >= 1),
  -- its date lies beyond those months after the subscription's first credited payment: it earns nothing
  past_limit boolean not null default false,
  -- what the account's policy made of the fraud rule, and what the rule saw
  hold_policy text check (hold_policy in ('flag', 'hold', 'refuse')),
  hold_reason text,
  -- The rules that were tried for a payment's lead and did not find it, in their order, each with what came of it:
  -- [{"rule": "click", "outcome": "expired"}]. Null: nothing was looked for, or the sale is older than this column.
  match_evidence jsonb,
  -- What the partner of a sale earned of it as whoever kept it before recorded, in the sale's currency; null: by our
  -- rates.
  given_commission bigint check (given_commission >= 0),
  -- A shop names its payments, customers and subscriptions, and another shop may give the names again: two systems of
  -- an account both have an order 1001 and a customer 7. the provider's account or the incoming webhook that a sale
  -- came from; null of what the account has one of: its push API, sales by hand, and files
  shop_id uuid,
  -- the provider's account that tells of a sale which had come by another way
  told_by_shop_id uuid,
  -- A sale of a provider's test mode is kept with the lead that a live one would belong to, and is nobody's: whatever
  -- adds up, numbers, wins or credits sales follows lead_id, partner_id and credit, which stay empty. 0113 validates,
  -- 0114 finds.
  is_test boolean not null default false,
  test_lead_id uuid,
  primary key (id, account_id),
  constraint sales_gross_amount_check check (gross_amount >= amount and gross_amount <= '2000000000000000'),
  constraint sales_check2 check ((account_amount is null) = (fx_rate is null)),
  constraint sales_check1 check (refunded_amount >= 0 and refunded_amount <= gross_amount),
  constraint sales_check check (given_commission <= amount),
  constraint sales_check3 check (given_commission is null or provider = 'import'),
  constraint sales_test_is_no_money check (
case
    when is_test then (num_nonnulls(lead_id, partner_id,
    blueprint_id, credit) = 0)
    else (test_lead_id is null)
end),
  foreign key (account_id, blueprint_id) references link_blueprints(account_id, id),
  foreign key (account_id, lead_id) references leads(account_id, id),
  foreign key (account_id, partner_id) references partners(account_id, id),
  constraint sales_test_lead_fkey foreign key (account_id, test_lead_id) references leads(account_id, id)
);
create index sales_by_created on sales (account_id, created_at, id);
create index sales_by_date on sales (account_id, sale_date, id);
create index sales_by_lead on sales (lead_id, created_at, id);
-- the next sale's number
create index sales_by_sequence on sales (lead_id, sequence);
create index sales_by_partner on sales (account_id, partner_id, created_at, id);
create index sales_by_subscription on sales (account_id, subscription_id, sale_date)
  where subscription_id is not null;
create index sales_waiting_for_rate on sales (account_id, currency) where account_amount is null;
create index sales_unattributed on sales (account_id, created_at, id) where partner_id is null;
create index sales_on_hold on sales (account_id, sale_date, id) where (disputed or hold_rule is not null);
-- What a balance asks of sales: which few set aside what they earned.
create index sales_setting_aside on sales (account_id, id) where (disputed or hold_rule is not null
  or status = 'void');
-- Which of a page's leads have referred themselves.
create index sales_of_self_referrals on sales (lead_id) where hold_rule = 'self-referral';
-- Which currencies an account has sales in beside its own, and the latest day of each.
create index sales_in_other_currencies on sales (account_id, currency, sale_date) where currency <> account_currency;
-- Sales by a part of their number, payer's e-mail or description: a search read all sales of the account.
create index sales_search on sales using gin (account_id, lower(((coalesce((external_id || ' '),
  '') || coalesce((payer_email || ' '), '')) || coalesce(description,
  ''))) gin_trgm_ops) with (gin_pending_list_limit='256');
-- How many sales there are follows from the figures and from the few that no figure counts.
create index sales_beside_figures on sales (account_id) where (lead_id is null or status = 'void');
-- Whoever pays for a sale that nobody is credited with is a customer already, whom nobody can register by their
-- e-mail.
create index sales_by_uncredited_payer on sales (account_id, payer_email) where (partner_id is null
  and payer_email is not null);
create unique index sales_of_shop on sales (account_id, external_id, provider, shop_id) nulls not distinct
  where external_id is not null;
-- The sales of test mode that a lead shows, and those that hold its row.
create index sales_by_test_lead on sales (test_lead_id, created_at, id) where test_lead_id is not null;
-- The list of them.
create index sales_in_test_mode on sales (account_id, created_at, id) where is_test;
create statistics sales_of_partners (dependencies) on account_id, partner_id from sales;

-- Money given back or contested. A dispute is pending while open, succeeded when lost, failed when won.
create table refunds (
  id uuid not null,
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
  -- Who recorded a refund by hand or by push: `user:{id}`, `api-key:{id}`; `system` for what a payment provider told.
  created_by text,
  primary key (id, account_id),
  foreign key (account_id, sale_id) references sales(account_id, id)
);
create index refunds_by_sale on refunds (sale_id, created_at, id);
-- The lines that statistics add up, newest first: of sales there is sales_by_date.
create index refunds_by_counted_day on refunds (account_id, counted_on, id) where counted_on is not null;
create index refunds_by_restored_day on refunds (account_id, restored_on, id) where restored_on is not null;
-- Systems may number the refunds of each order anew.
create unique index refunds_of_sale on refunds (account_id, sale_id, kind, external_id) where external_id is not null;
-- What is pushed is named by the account's own ids.
create unique index refunds_pushed on refunds (account_id, external_id) where (provider = 'api' and kind = 'refund'
  and external_id is not null);

-- The ledger. Rows are written once; a correction is another row.
create table commission_entries (
  id uuid not null,
  account_id uuid not null references accounts,
  sale_id uuid,
  refund_id uuid,
  partner_id uuid not null,
  layer smallint check (layer >= 0 and layer <= 9),
  rate_ppm int check (rate_ppm >= 0 and rate_ppm <= 1000000),
  base_amount bigint,
  amount bigint not null check (amount <> 0 and (amount >= '-1000000000000000' and amount <= '1000000000000000')),
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
  correction_id uuid,
  -- An entry that corrects another because a payment of the same subscription came or went, which moved the recurring
  -- limit, names that payment: so each such move writes one row per partner and layer.
  limit_sale_id uuid,
  -- The sale whose commission an adjustment settles, or takes the settlement of back: it was paid before its account
  -- came here.
  settles_sale_id uuid,
  primary key (id, account_id),
  constraint commission_entries_check3 check (sale_id is null or (layer is not null and rate_ppm is not null
    and base_amount is not null)),
  constraint commission_entries_check check (kind not in ('earned', 'restoration') or amount > 0),
  constraint commission_entries_check1 check (kind <> 'reversal' or amount < 0),
  constraint commission_entries_check2 check ((kind in ('adjustment', 'bonus')) = (sale_id is null)),
  constraint commission_entries_check4 check (correction_id is null or (sale_id is not null and refund_id is null)),
  constraint commission_entries_check5 check (settles_sale_id is null or kind = 'adjustment'),
  foreign key (account_id, partner_id) references partners(account_id, id),
  foreign key (account_id, refund_id) references refunds(account_id, id),
  foreign key (account_id, sale_id) references sales(account_id, id),
  foreign key (account_id, limit_sale_id) references sales(account_id, id),
  foreign key (account_id, settles_sale_id) references sales(account_id, id)
);
create index commission_entries_by_partner on commission_entries (partner_id, available_at);
create index commission_entries_by_sale on commission_entries (sale_id);
create unique index commission_entries_once on commission_entries (account_id, sale_id, coalesce(refund_id,
  correction_id, limit_sale_id, sale_id), partner_id, layer, kind) where sale_id is not null;
create index commission_entries_settling on commission_entries (settles_sale_id) where settles_sale_id is not null;
-- What was given or taken by hand, which no sale's figures hold: the rest of what partners earned is added up from
-- those.
create index commission_entries_by_hand on commission_entries (account_id, partner_id) where sale_id is null;
-- What is still held of one account, which stands at the end of it.
create index commission_entries_by_due on commission_entries (account_id, available_at);
-- A page of a partner's commissions, and what all of them add up to, ask for the account too. Without it in the
-- index, every entry was looked up in the table for the sum, and where statistics were old, all of them were sorted
-- for the page.
create index commission_entries_in_order on commission_entries (account_id, partner_id, created_at, id)
  include (amount);
-- The commissions of an account, newest first.
create index commission_entries_of_account on commission_entries (account_id, created_at, id);

-- Units of `to_currency` for one of `from_currency`: an account's own, entered by hand.
create table account_exchange_rates (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null references accounts,
  currency text not null,
  date date not null,
  rate numeric not null check (rate > (0)::numeric),
  created_at timestamptz(3) not null,
  -- A rate entered by hand is one of two currencies. What the account's was when it was entered, its record tells.
  account_currency text not null,
  primary key (id, account_id),
  unique (account_id, currency, date)
);

-- Published reference rates: units of the currency for one euro.
create table euro_rates (
  currency text not null,
  date date not null,
  rate numeric not null check (rate > (0)::numeric),
  primary key (currency, date)
);

-- Where a partner's money goes. The details themselves are sealed; only the last four digits stand beside them.
create table payout_settings (
  partner_id uuid not null,
  account_id uuid not null,
  -- null after removal
  details_sealed bytea,
  routing_last4 text,
  account_last4 text,
  -- changes with every save; an approved payout remembers the version it was approved with
  version uuid not null,
  -- of a change of existing details; null after a first entry
  changed_at timestamptz(3),
  -- Wise's words when it refused exactly these details
  rejected_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (partner_id, account_id),
  foreign key (account_id, partner_id) references partners(account_id, id)
);

-- How an account pays out.
create table payout_accounts (
  account_id uuid primary key references accounts,
  enabled boolean not null default false,
  trouble text,
  trouble_kind text,
  max_per_payout bigint check (max_per_payout >= 0),
  max_per_run bigint check (max_per_run >= 0),
  last_statement_number int not null default 0,
  last_run_on date,
  -- entries that fell due up to then have been told of
  due_told_until timestamptz(3),
  updated_at timestamptz(3) not null,
  -- how the account's payouts leave
  method text not null default 'manual' check (method in ('wise', 'manual', 'csv')),
  -- the method whose calls are not taken; automatic payouts pause meanwhile
  trouble_with text,
  constraint payout_accounts_wise_error_kind_check check (trouble_kind in ('unauthorized', 'forbidden'))
);

create table payouts (
  id uuid not null,
  account_id uuid not null references accounts,
  partner_id uuid not null,
  statement_number int not null,
  -- 'gathering' until approval: amount, entries and blockers are read from what has fallen due
  status text not null default 'gathering' check (status in ('gathering', 'approved', 'processing',
    'awaiting-funding', 'sent', 'paid', 'failed', 'returned', 'canceled')),
  -- fixed at approval
  amount bigint check (amount > 0),
  currency text not null,
  method text check (method in ('wise', 'manual', 'csv')),
  period_start date,
  period_end date,
  details_sealed bytea,
  details_version uuid,
  approved_by uuid references users,
  approved_at timestamptz(3),
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  failure_reason text,
  external_reference text,
  -- the transfer that stands unfunded is to be cancelled first: by the owner, or because the details changed
  stop_reason text check (stop_reason in ('canceled', 'details-changed')),
  -- the owner asks for another try at funding
  fund_again boolean not null default false,
  -- when its transfer was last read back
  checked_at timestamptz(3),
  -- who works on it right now, by the database's clock: two workers never ask Wise for the same payout
  lease_id uuid,
  leased_until timestamptz,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- A transfer that Wise does not show is looked for ever more rarely.
  looks_refused int not null default 0,
  look_after timestamptz(3),
  -- The day on which the money of a payout left, in the time zone that its account had then. Its year is the tax
  -- year, and stays so: a payout counts as paid days after its money left, and the account's time zone may change.
  -- Set by the database, so that what the release before writes has it too.
  paid_on date,
  primary key (id, account_id),
  unique (account_id, statement_number),
  constraint payouts_check check (status in ('gathering', 'canceled') or amount is not null),
  foreign key (account_id, partner_id) references partners(account_id, id)
);
create index payouts_by_created on payouts (account_id, created_at, id);
create index payouts_by_partner on payouts (partner_id, created_at, id);
create index payouts_moving on payouts (status) where status in ('approved', 'processing', 'awaiting-funding',
  'sent', 'returned');
-- Payouts of a state in the order of their list, and whose they are and how much: what many partners are owed, what
-- was paid and what gathers read no more than these.
create index payouts_in_order on payouts (account_id, status, created_at, id) include (partner_id, amount);
create unique index payouts_one_gathering on payouts (partner_id, account_id) where status = 'gathering';
-- What was paid in a year.
create index payouts_paid_on on payouts (account_id, paid_on) where status = 'paid';
-- The sum that an automatic run has approved since midnight, which its ceiling counts.
create index payouts_approved_automatically on payouts (account_id, approved_at) where (approved_by is null
  and status not in ('gathering', 'canceled'));

-- Approval binds entries to a payout; a payout that ends without paying lets them go.
create table payout_entries (
  payout_id uuid not null,
  entry_id uuid not null,
  account_id uuid not null,
  live boolean not null default true,
  -- the approval that bound it: a payout may be approved again, with other entries
  approved_at timestamptz(3) not null,
  primary key (payout_id, entry_id, account_id),
  foreign key (account_id, entry_id) references commission_entries(account_id, id),
  foreign key (account_id, payout_id) references payouts(account_id, id)
);
create unique index payout_entries_live on payout_entries (entry_id, account_id) where live;

create table payout_attempts (
  id uuid not null,
  payout_id uuid not null,
  number int not null,
  -- UUIDv5 of payout and attempt, committed before the first call: Wise makes one transfer for it, however often it
  -- is sent
  customer_transaction_id uuid not null,
  paid_from text not null,
  recipient_id text,
  quote_id text,
  quote_expires_at timestamptz(3),
  transfer_id text,
  -- 'created', 'quoted', 'recipient-known', 'transferring' (asked, answer unknown), then Wise's own state of the
  -- transfer; 'rejected', 'abandoned': no transfer exists and none will
  state text not null,
  funded_at timestamptz(3),
  -- why the transfer waits for money: 'balance' is tried again, 'forbidden' is for the owner to pay
  funding_problem text check (funding_problem in ('balance', 'forbidden')),
  fee bigint,
  rate numeric,
  error text,
  at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What an attempt is to pay, to whom and from where, as it was approved. Set once: whatever differs is another
  -- attempt.
  method text,
  details_version uuid,
  amount bigint check (amount > 0),
  currency text,
  -- the calendar year of payment, in the account's time zone
  year int,
  -- when Wise was first asked for the transfer
  announced_at timestamptz(3),
  -- What the state of an attempt means for its payout, whatever words its method has for it: nothing was asked for
  -- yet, money may move, or surely nothing of it moves any more.
  stage text not null check (stage in ('prepared', 'open', 'over')),
  account_id uuid not null,
  primary key (id, account_id),
  unique (payout_id, number, account_id),
  unique (customer_transaction_id, account_id),
  foreign key (account_id, payout_id) references payouts(account_id, id)
);
create index payout_attempts_by_transfer on payout_attempts (transfer_id) where transfer_id is not null;
-- One attempt of a payout at a time: another begins only where the former surely has no transfer that moves.
create unique index payout_attempts_one_live on payout_attempts (payout_id, account_id) where stage <> 'over';

-- Roll-ups, kept in the transaction that changes a figure. The nil id stands for 'all': (nil, nil) the account,
-- (partner, nil) a partner, (nil, blueprint) a blueprint, (partner, blueprint) one link.
create table day_stats (
  account_id uuid not null references accounts,
  partner_id uuid not null,
  blueprint_id uuid not null,
  day date not null,
  partners bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  clicks bigint not null default 0,
  unique_clicks bigint not null default 0,
  revenue bigint not null default 0,
  share bigint not null default 0,
  primary key (account_id, partner_id, blueprint_id, day)
) with (fillfactor=70);
-- The partners of some days, whose rows stand among those of all days and links. Figures may change without a change
-- of it.
create index day_stats_of_partners on day_stats (account_id, day)
  where (blueprint_id = '00000000-0000-0000-0000-000000000000'
  and partner_id <> '00000000-0000-0000-0000-000000000000');

create table total_stats (
  account_id uuid not null references accounts,
  partner_id uuid not null,
  blueprint_id uuid not null,
  partners bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  clicks bigint not null default 0,
  unique_clicks bigint not null default 0,
  revenue bigint not null default 0,
  share bigint not null default 0,
  primary key (account_id, partner_id, blueprint_id)
) with (fillfactor=70);

create table lead_stats (
  lead_id uuid not null,
  account_id uuid not null references accounts,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  share bigint not null default 0,
  primary key (lead_id, account_id),
  foreign key (account_id, lead_id) references leads(account_id, id) on delete cascade
) with (fillfactor=70);

create table idempotency_keys (
  caller text not null,
  call text not null,
  key text not null,
  body_hash bytea not null,
  status int not null,
  -- sealed: an answer may hold a link or a key
  answer_sealed bytea not null,
  created_at timestamptz(3) not null,
  primary key (caller, call, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Failures by person and network, by network and by person: what slows guessing down, in every process alike.
create table sign_in_attempts (
  -- derived from what is counted, so that the table tells no e-mail
  key text primary key,
  failures int not null,
  -- the next try is refused until then
  blocked_until timestamptz(3),
  forget_at timestamptz(3) not null
);
create index sign_in_attempts_by_age on sign_in_attempts (forget_at);

create table embed_codes (
  id uuid primary key,
  account_id uuid not null unique references accounts,
  -- {element: {key, selectorType, selectorValue}}
  config jsonb not null,
  -- each covers its subdomains; none means any site
  domains text[] not null default '{}',
  only_if_referred boolean not null default true,
  consent_mode text not null default 'off' check (consent_mode in ('off', 'required', 'cookieless')),
  last_lead_at timestamptz(3),
  -- leads from sites that are not allowed: not kept, only counted
  refused_leads bigint not null default 0,
  last_refused_origin text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The name an account gives the address of its script, which stands beside the one by its public id.
  path text unique check (path ~ '^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$'),
  -- Names that an account's script had before: pages out there still load it by them, so that they stay the
  -- account's.
  former_paths text[] not null default '{}'
);
create index embed_codes_by_former_path on embed_codes using gin (former_paths);

-- A visit of the owner's own to his site, where the script reports once which elements it finds.
create table embed_checks (
  id uuid primary key,
  account_id uuid not null references accounts,
  token_hash bytea not null unique,
  -- {element: true or false}, once reported
  matched jsonb,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index embed_checks_by_age on embed_checks (account_id, created_at);

-- An account's tie to a payment provider. Connecting again makes a new row, so that the history stays.
create table provider_connections (
  id uuid primary key,
  account_id uuid not null references accounts,
  provider text not null,
  method text not null check (method in ('oauth', 'credentials')),
  account_name text,
  default_currency text,
  provider_account_id text,
  livemode boolean not null,
  -- in the address that events come to; names the connection, the signature proves the sender
  hook_key text unique,
  key_sealed bytea,
  webhook_secret_sealed bytea,
  -- the endpoint we made at the provider
  endpoint_id text,
  -- why the provider does not accept the key, in its words
  trouble text,
  -- why there is no signing secret yet
  endpoint_trouble text,
  disconnected_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Connections whose key never told the provider's account share one shop per mode; those that stand beside each
  -- other cannot be the same, so each gets its own.
  shop_id uuid not null,
  -- All credentials of a connection are one sealed text, an object by the names of the provider's fields. What was
  -- sealed in its own columns can only be opened by the server, which carries it over when it starts; the emptied
  -- columns are dropped by a later release.
  credentials_sealed bytea,
  -- whether the credentials hold what events are checked with
  webhook_secret_set boolean not null default false,
  -- the address as the provider was given it, which some providers sign
  webhook_url text,
  -- when the owner last gave their consent
  authorized_at timestamptz(3),
  -- when the provider said that the consent was withdrawn; from then on it is not asked any more
  revoked_at timestamptz(3),
  -- from when on its tokens are renewed
  refresh_at timestamptz(3),
  -- when its key was last tried by the clock
  checked_at timestamptz(3),
  -- the last event before a pause that is too long
  silent_since timestamptz(3),
  -- What the provider remembers was last gone through whole.
  reconciled_at timestamptz(3),
  unique (account_id, id),
  constraint provider_connections_check check (disconnected_at is null or (key_sealed is null
    and webhook_secret_sealed is null)),
  constraint provider_connections_check1 check (disconnected_at is null or credentials_sealed is null),
  constraint provider_connections_check2 check (disconnected_at is null or refresh_at is null)
);
create unique index provider_connections_once on provider_connections (account_id, provider, provider_account_id)
  where disconnected_at is null;
create index provider_connections_by_created on provider_connections (account_id, created_at, id);
create unique index provider_connections_live on provider_connections (shop_id) where disconnected_at is null;
create index provider_connections_by_shop on provider_connections (shop_id, created_at);
create index provider_connections_by_application on provider_connections (provider, provider_account_id)
  where (hook_key is null and disconnected_at is null);

-- Signed events as they came, stored before the provider is answered.
create table provider_events (
  id uuid not null,
  connection_id uuid not null references provider_connections,
  external_id text not null,
  type text not null,
  -- when the provider says it happened
  at timestamptz(3) not null,
  -- the raw text; forgotten after a while
  body text,
  state text not null check (state in ('received', 'processed', 'ignored', 'failed', 'waiting')),
  -- why the last try failed; it is tried again
  error text,
  tries int not null default 0,
  received_at timestamptz(3) not null,
  processed_at timestamptz(3),
  -- Events: known once per shop. One that lacks what only the provider, or an exchange rate, can tell waits.
  shop_id uuid not null,
  -- key: one that the provider accepts; answer: the provider has been away for long; rate: an exchange rate
  waits_for text check (waits_for in ('key', 'answer', 'rate')),
  -- The sale that an event booked or changed.
  sale_id uuid,
  -- Whether the provider was asked for it, rather than delivered it.
  remembered boolean not null default false,
  account_id uuid not null,
  primary key (id, account_id),
  unique (shop_id, external_id, account_id),
  constraint provider_events_check check ((state = 'waiting') = (waits_for is not null))
);
create index provider_events_by_received on provider_events (connection_id, received_at);
create index provider_events_kept on provider_events (received_at) where body is not null;
create index provider_events_open on provider_events (shop_id, received_at) where state in ('failed', 'waiting');
create index provider_events_by_shop on provider_events (shop_id, received_at, id);
-- Events that could not be booked, by the sale they are about: shown where the sale is.
create index provider_events_open_of_sale on provider_events (account_id, sale_id) where (sale_id is not null
  and state in ('failed', 'waiting'));

-- What events and answers showed of a payment: the newest of every object, whatever the order. The payment is read
-- from the whole set.
create table provider_objects (
  payment_key text not null,
  kind text not null,
  object_id text not null,
  -- payments that share what stands under this key, such as a subscription's
  group_key text,
  -- later stages of a thing outrank earlier ones; between equals the newer counts
  rank bigint not null,
  at timestamptz(3) not null,
  data jsonb not null,
  -- Of two sightings of one thing the later stage counts, between equals the newer.
  shop_id uuid not null,
  account_id uuid not null,
  primary key (shop_id, payment_key, kind, object_id, account_id)
);
create index provider_objects_by_group on provider_objects (shop_id, group_key) where group_key is not null;
create index provider_objects_by_id on provider_objects (shop_id, kind, object_id);

-- Which sale a payment became, and what of its refunds the sale was told.
create table provider_payments (
  payment_key text not null,
  sale_id uuid not null,
  -- a partner is credited: nothing is left to find out
  credited boolean not null,
  -- {refund: {status, amount}}
  applied jsonb not null default '{}',
  shop_id uuid not null,
  account_id uuid not null,
  primary key (shop_id, payment_key, account_id)
);

-- What an account's own systems sent last, refused calls too. Only the newest of each account are kept.
create table push_requests (
  id uuid not null,
  account_id uuid not null references accounts,
  -- below /api/v1
  path text not null,
  -- of the answer, as HTTP has it
  status int not null,
  error_code text,
  error_message text,
  -- of a list: how many were sent, and how many of them were refused
  rows int,
  failed_rows int,
  created_at timestamptz(3) not null,
  primary key (id, account_id)
);
create index push_requests_by_created on push_requests (account_id, created_at, id);

-- Every move of a payout, in the order in which they came.
create table payout_events (
  id bigint generated always as identity,
  payout_id uuid not null,
  at timestamptz(3) not null,
  from_status text not null,
  to_status text not null,
  -- `user:{id}` or `system`
  actor text not null,
  reason text,
  account_id uuid not null,
  primary key (id, account_id),
  foreign key (account_id, payout_id) references payouts(account_id, id)
);
create index payout_events_by_payout on payout_events (payout_id, id);

-- Entries whose day has come while their sale was on hold: told of when the hold ends.
create table untold_entries (
  entry_id uuid not null,
  account_id uuid not null,
  primary key (entry_id, account_id),
  foreign key (account_id, entry_id) references commission_entries(account_id, id)
);
create index untold_entries_by_account on untold_entries (account_id);

-- An account at a payment provider, as one of our accounts has it. What a provider tells belongs to its shop,
-- whichever connection told it, so that a new connection goes on where a former one ended.
create table provider_shops (
  id uuid primary key,
  account_id uuid not null references accounts,
  provider text not null,
  livemode boolean not null,
  -- the provider's own id of it; null while its key does not tell
  external_id text,
  created_at timestamptz(3) not null,
  unique (account_id, id),
  unique (account_id, provider, livemode, external_id)
);

-- A sale's amounts as they turned out to be otherwise: a second capture, a tax that was told late. Written once; the
-- cause of the entries that bring every layer to its share of the new amount.
create table sale_corrections (
  id uuid not null,
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
  primary key (id, account_id),
  foreign key (account_id, sale_id) references sales(account_id, id)
);
create index sale_corrections_by_sale on sale_corrections (sale_id, created_at, id);

-- How many mails an account caused to an address on a day. The key is derived, so that the table tells no e-mail.
create table mail_counts (
  key text primary key,
  names text[] not null,
  forget_at timestamptz(3) not null
);
create index mail_counts_by_age on mail_counts (forget_at);

-- Anybody can cause these, so they stand apart from the audit log and are forgotten after 90 days.
create table refused_sign_ins (
  id uuid primary key,
  at timestamptz(3) not null,
  -- what was tried: to sign in, or to prove the password of a session
  kind text not null check (kind in ('sign-in', 'password')),
  user_id uuid references users on delete cascade,
  network text,
  request_id text
);
create index refused_sign_ins_by_age on refused_sign_ins (at);

-- An account's tie to Wise. The token is sealed under the name of its former column.
create table wise_accounts (
  account_id uuid primary key references payout_accounts(account_id),
  token_sealed bytea,
  token_hint text,
  profile jsonb,
  -- those the token was last seen to see
  profiles jsonb not null default '[]',
  updated_at timestamptz(3) not null,
  -- Wise tells of each kind of event by a subscription of its own.
  subscription_ids text[] not null default '{}'
);

-- A partner's details as a recipient of a Wise profile. Wise never changes one: changed details are another.
create table wise_recipients (
  partner_id uuid not null,
  details_version uuid not null,
  profile_id text not null,
  recipient_id text not null,
  account_id uuid not null,
  primary key (partner_id, account_id),
  foreign key (partner_id, account_id) references payout_settings(partner_id, account_id) on delete cascade
);

-- What happens is written once, into `events`: public ones with the object as it was then, recorded ones that only
-- the activity shows, internal ones that the product itself follows up. The audit, the timelines of leads, mails and
-- webhooks read them. (Unreleased: the tables that told it before go in the same step.)
create table events (
  id uuid not null,
  account_id uuid not null,
  at timestamptz(3) not null,
  type text not null,
  kind text not null check (kind in ('public', 'recorded', 'internal')),
  audited boolean not null,
  actor_type text not null check (actor_type in ('user', 'api-key', 'system')),
  actor_id uuid,
  network text,
  request_id text,
  subject_type text,
  subject_id uuid,
  -- public: {object, changes?, lines?}; recorded: {changes?, lines?}; internal: ids
  data jsonb not null,
  primary key (id, account_id),
  constraint events_check check (kind = 'internal' or subject_type is not null),
  constraint events_check1 check (kind <> 'public' or account_id <> '00000000-0000-0000-0000-000000000000')
) partition by range (id);
create index events_audited on events (account_id, at, id) where audited;
-- What one person did is looked up among what all of an account did. What own systems and providers bring is not
-- audited, so that no sale writes it.
create index events_by_actor on events (account_id, actor_id, at, id) where audited;
create index events_by_subject on events (account_id, subject_id, at, id) where audited;
create index events_of_leads on events (subject_id, at, id) where subject_type = 'lead';

-- Those that have still to be relayed; the row goes when that is done. What fails too often is parked.
create table event_relays (
  position bigint generated always as identity,
  event_id uuid primary key,
  tries smallint not null default 0,
  next_at timestamptz(3) not null default '-infinity'::timestamp with time zone,
  error text,
  parked_at timestamptz(3)
);
create index event_relays_waiting on event_relays ("position") where parked_at is null;
create index event_relays_parked on event_relays (parked_at) where parked_at is not null;

-- The e-mails a partner had before: who takes an account over changes the address first, so changed payout details
-- are told to these too, for three days.
create table former_emails (
  partner_id uuid not null,
  email text not null,
  until timestamptz(3) not null,
  account_id uuid not null,
  foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade
);
create index former_emails_by_partner on former_emails (partner_id, until);

-- Addresses of other systems that are sent what happens, each at a pace of its own.
create table outgoing_webhooks (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null check (length(name) >= 1 and length(name) <= 40),
  url text not null check (length(url) >= 1 and length(url) <= 2048),
  -- each once; `*` alone stands for all
  events text[] not null check (cardinality(events) > 0),
  secret_sealed bytea not null,
  -- also signs until then
  former_secret_sealed bytea,
  former_secret_until timestamptz(3),
  header_names text[] not null default '{}',
  headers_sealed bytea,
  enabled boolean not null,
  disabled_reason text,
  -- failed tries in a row
  failures int not null default 0 check (failures >= 0),
  last_delivery_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- gone for everyone; the row stays until its deliveries are forgotten
  deleted_at timestamptz(3),
  constraint outgoing_webhooks_check1 check (num_nonnulls(former_secret_sealed, former_secret_until) in (0, 2)),
  constraint outgoing_webhooks_check check (disabled_reason is null or (not enabled))
);
create unique index outgoing_webhooks_once on outgoing_webhooks (account_id, md5(url), events)
  where deleted_at is null;
create index outgoing_webhooks_by_account on outgoing_webhooks (account_id, created_at, id) where deleted_at is null;

-- Which process delivers to a webhook, and until when unless it says again that it lives: one at a time.
create table outgoing_turns (
  webhook_id uuid primary key references outgoing_webhooks on delete cascade,
  held_by uuid not null,
  held_until timestamptz(3) not null
);

-- An event on its way to a webhook. Of a test the event is the delivery itself; what was sent follows from the event.
create table outgoing_deliveries (
  id uuid not null,
  account_id uuid not null references accounts,
  webhook_id uuid not null references outgoing_webhooks,
  event_id uuid not null,
  event text not null,
  state text not null check (state in ('pending', 'delivered', 'retrying', 'failed')),
  tries int not null default 0 check (tries >= 0),
  next_at timestamptz(3),
  code smallint,
  duration_ms int,
  -- the beginning of the answer, or why none came
  answer text check (length(answer) <= 1000),
  created_at timestamptz(3) not null,
  primary key (id, account_id),
  constraint outgoing_deliveries_check check ((next_at is not null) = (state in ('pending', 'retrying')))
);
create index outgoing_deliveries_waiting on outgoing_deliveries (webhook_id, next_at, id) where next_at is not null;
create index outgoing_deliveries_of_webhook on outgoing_deliveries (webhook_id, created_at, id);
create index outgoing_deliveries_by_age on outgoing_deliveries using brin (created_at) with (autosummarize='on');

-- Addresses at which other systems bring leads, sales, refunds and lead statuses.
create table incoming_webhooks (
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null check (length(name) >= 1 and length(name) <= 40),
  target text not null check (target in ('lead', 'sale', 'refund', 'lead-status')),
  enabled boolean not null,
  -- in the address; found by its hash, shown to the owner again
  token_hash bytea not null unique,
  token_sealed bytea not null,
  -- still works until then
  former_token_hash bytea unique,
  former_token_until timestamptz(3),
  -- without its secret, which is sealed
  auth jsonb not null,
  auth_sealed bytea,
  mapping jsonb not null,
  partner_match jsonb,
  filters jsonb not null,
  dedupe_path text,
  last_received_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The bytes of payloads that an incoming webhook keeps: whoever knows its address could fill the database. Null
  -- while they have not been counted.
  payload_bytes bigint,
  -- From which networks deliveries are taken; empty: from anywhere.
  allowed_ips text[] not null default '{}',
  constraint incoming_webhooks_check check (num_nonnulls(former_token_hash, former_token_until) in (0, 2))
);
create index incoming_webhooks_by_account on incoming_webhooks (account_id, created_at, id);

-- What was sent, with what came of it.
create table incoming_deliveries (
  id uuid not null,
  account_id uuid not null references accounts,
  webhook_id uuid not null references incoming_webhooks on delete cascade,
  state text not null check (state in ('received', 'processed', 'ignored', 'failed', 'replayed')),
  -- as JSON, which PostgreSQL need not understand; null where it could not be read
  payload text,
  dedupe_key bytea not null,
  reason text,
  fields jsonb,
  made_type text check (made_type in ('lead', 'sale', 'refund')),
  made_id uuid,
  created_at timestamptz(3) not null,
  primary key (id, account_id),
  constraint incoming_deliveries_check check ((state in ('processed', 'replayed')) = (made_id is not null)),
  constraint incoming_deliveries_check1 check (num_nonnulls(made_type, made_id) in (0, 2))
);
create index incoming_deliveries_of_webhook on incoming_deliveries (webhook_id, created_at, id);
create index incoming_deliveries_by_key on incoming_deliveries (webhook_id, dedupe_key, created_at);
create index incoming_deliveries_by_age on incoming_deliveries (created_at);
-- The oldest payloads go first.
create index incoming_deliveries_with_payload on incoming_deliveries (webhook_id, created_at, id)
  where payload is not null;

-- The keys of accounts' own systems, found by their hash.
create table api_keys (
  -- of the account's first key, which the account itself answers, the account's own id: what is kept of who did
  -- something by that key names it so
  id uuid primary key,
  account_id uuid not null references accounts,
  name text not null check (length(name) >= 1 and length(name) <= 40),
  rights text[] not null check (cardinality(rights) > 0 and (rights <@ '{push,read}')),
  key_hash bytea not null unique,
  -- of the account's first key alone, since only that is shown again
  key_sealed bytea,
  last_four text check (length(last_four) = 4),
  -- the key that took its place: this is what it was before
  replaced_by uuid references api_keys on delete cascade,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- a deleted key stays, for its name: other things say that it made them
  deleted_at timestamptz(3),
  constraint api_keys_check check (key_sealed is null or id = account_id),
  constraint api_keys_check1 check (num_nonnulls(key_sealed, last_four) = 1),
  constraint api_keys_check2 check (replaced_by is null or expires_at is not null)
);
create index api_keys_by_account on api_keys (account_id, created_at, id);
create index api_keys_by_successor on api_keys (replaced_by) where replaced_by is not null;

-- Tokens by which an assistant reads what its user may read.
create table user_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) >= 1 and length(name) <= 40),
  token_hash bytea not null unique,
  last_four text not null check (length(last_four) = 4),
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index user_tokens_by_user on user_tokens (user_id, created_at, id);

-- Every mail that was due, once, with what became of it. Never a link that opens something; gone after 90 days.
create table mails (
  id uuid primary key,
  -- says which mail it is, however often it is tried
  name text not null unique check (length(name) >= 1 and length(name) <= 200),
  kind text not null,
  email text not null,
  -- null of what is an account's own business
  subject text,
  -- of one that was kept for want of a mail server, without the links that open something
  text text,
  state text not null check (state in ('waiting', 'sent', 'kept', 'refused', 'failed', 'skipped')),
  reason text check (length(reason) <= 500),
  tries int not null default 0 check (tries >= 0),
  last_tried_at timestamptz(3),
  created_at timestamptz(3) not null,
  constraint mails_check check (text is null or state = 'kept')
);
create index mails_by_age on mails (created_at, id);
create index mails_by_state on mails (state, created_at, id);

-- What there is to mail and to whom, each once: it is gathered until a mail takes it. Ids and days, no names and no
-- addresses.
create table mail_news (
  id uuid not null,
  account_id uuid not null references accounts,
  -- null: for the account's owner
  partner_id uuid,
  kind text not null,
  -- the lead, commission entry, payout or the like that it is about
  subject_id uuid not null,
  -- which of its occasions: the event, or the day or month that calls for it
  occasion text not null,
  created_at timestamptz(3) not null,
  mail_id uuid,
  mailed_at timestamptz(3),
  primary key (id, account_id),
  unique nulls not distinct (account_id, partner_id, kind, subject_id, occasion),
  constraint mail_news_check check (num_nonnulls(mail_id, mailed_at) in (0, 2)),
  foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade
);
create index mail_news_waiting on mail_news (account_id, partner_id, kind) where mail_id is null;
create index mail_news_mailed on mail_news (account_id, partner_id, kind, mailed_at) where mail_id is not null;
create index mail_news_of_mail on mail_news (mail_id) where mail_id is not null;
create index mail_news_by_age on mail_news (created_at);

-- The last day, in the account's time zone, for which it was looked what there is to remind of and to sum up.
create table mail_days (
  account_id uuid primary key references accounts,
  done_on date not null
);

-- What is taken in from files and from what providers remember, as jobs that go on where they were.
create table imports (
  id uuid not null,
  account_id uuid not null references accounts,
  kind text not null check (kind in ('partners', 'leads', 'sales', 'payouts', 'past-sales')),
  -- of a file: whose it is, such as 'dub', or 'csv'
  format text check (length(format) <= 50),
  -- of what a provider remembers
  connection_id uuid references provider_connections,
  dry_run boolean not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'canceled', 'undoing', 'undone')),
  reason text check (length(reason) <= 1000),
  -- null until it was counted
  total int check (total >= 0),
  done int not null default 0 check (done >= 0),
  created int not null default 0 check (created >= 0),
  skipped int not null default 0 check (skipped >= 0),
  failed int not null default 0 check (failed >= 0),
  -- sums by currency: [{currency, count, amount}]
  totals jsonb not null default '[]',
  -- the mapping of a file, or the days of the past
  settings jsonb not null,
  -- the names of the columns, so that the next file of the kind is mapped alike
  header text[],
  -- where it goes on; of what a provider remembers
  progress jsonb,
  created_by text not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Of what a provider remembers: how many of the sales created have no partner.
  unattributed int not null default 0 check (unattributed >= 0),
  -- What of an import was settled as paid elsewhere, by currency, how many known leads got their partner by it, and
  -- what it warns of beside its rows.
  settled jsonb not null default '[]',
  assigned int not null default 0 check (assigned >= 0),
  warnings jsonb not null default '[]',
  primary key (id, account_id),
  constraint imports_check check ((kind = 'past-sales') = (connection_id is not null)),
  constraint imports_check1 check ((kind = 'past-sales') = (format is null)),
  constraint imports_check2 check ((state in ('done', 'failed', 'canceled', 'undoing',
    'undone')) = (finished_at is not null))
);
create index imports_by_account on imports (account_id, created_at, id);
-- one at a time for each account, and for each connection
create unique index one_import_at_a_time on imports (account_id, coalesce(connection_id, account_id))
  where state in ('waiting', 'running', 'undoing');

-- The file itself, compressed; gone once it has been read.
create table import_files (
  import_id uuid not null,
  content bytea not null,
  account_id uuid not null,
  primary key (import_id, account_id),
  foreign key (import_id, account_id) references imports(id, account_id) on delete cascade
);

-- What became of each row, for 30 days; `made` is what an undo takes back, `cells` what the file of errors repeats.
create table import_rows (
  import_id uuid not null,
  row int not null check ("row" > 0),
  outcome text not null check (outcome in ('created', 'skipped', 'failed')),
  field text check (length(field) <= 100),
  message text check (length(message) <= 1000),
  made jsonb,
  cells text[],
  account_id uuid not null,
  primary key (import_id, "row", account_id),
  foreign key (import_id, account_id) references imports(id, account_id) on delete cascade
);

-- A consent that an owner began at a provider: finished once, by the same user, for the same account.
create table provider_consents (
  state_hash bytea primary key,
  account_id uuid not null references accounts,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index provider_consents_by_expiry on provider_consents (expires_at);

-- What was sent of a lead, as it came, without secrets: JSON, or the beginning of one that was too long.
create table lead_submissions (
  id uuid not null,
  account_id uuid not null,
  lead_id uuid not null,
  source text not null check (source in ('embed', 'manual', 'api', 'incoming-webhook', 'provider', 'import',
    'partner')),
  body text not null check (octet_length(body) <= 16000),
  created_at timestamptz(3) not null,
  primary key (id, account_id),
  foreign key (account_id, lead_id) references leads(account_id, id) on delete cascade
);
create index lead_submissions_by_lead on lead_submissions (lead_id, created_at, id);
create index lead_submissions_by_age on lead_submissions using brin (created_at) with (autosummarize='on');

-- The discount codes of a shop that credit a partner when a buyer enters one. A code is one partner's, in any case.
create table promotion_codes (
  id uuid not null,
  account_id uuid not null,
  partner_id uuid not null,
  code text not null check (length(code) >= 1 and length(code) <= 100),
  created_at timestamptz(3) not null,
  primary key (id, account_id),
  foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade
);
create unique index promotion_codes_by_code on promotion_codes (account_id, lower(code));
create index promotion_codes_by_partner on promotion_codes (partner_id, created_at, id);

-- The payments that an import of past sales met, each once; gone when it has ended.
create table import_payments (
  import_id uuid not null,
  payment_key text not null,
  -- newcomer: of a dry run, somebody who has told whose customer they are
  outcome text not null check (outcome in ('created', 'known', 'newcomer')),
  amount bigint not null,
  currency text not null,
  -- a partner is credited
  credited boolean not null,
  customer_id text,
  email text,
  account_id uuid not null,
  primary key (import_id, payment_key, account_id),
  foreign key (import_id, account_id) references imports(id, account_id) on delete cascade
);

-- What a dry run learned of payments that it does not book, page by page; as provider_objects.
create table import_objects (
  import_id uuid not null,
  payment_key text not null,
  kind text not null,
  object_id text not null,
  group_key text,
  rank bigint not null,
  at timestamptz(3) not null,
  data jsonb not null,
  account_id uuid not null,
  primary key (import_id, payment_key, kind, object_id, account_id),
  foreign key (import_id, account_id) references imports(id, account_id) on delete cascade
);
create index import_objects_by_group on import_objects (import_id, group_key) where group_key is not null;

-- When an owner last reminded a partner, by what of: so often and no more.
create table partner_reminders (
  account_id uuid not null references accounts,
  partner_id uuid not null,
  kind text not null check (kind in ('payout-settings', 'invitation')),
  reminded_at timestamptz(3) not null,
  primary key (partner_id, kind, account_id),
  foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade
);

-- To which recipient of which Wise profile a payout stands in a batch file, which its owner uploads at Wise by hand.
create table wise_batch_payouts (
  payout_id uuid not null,
  profile_id text not null,
  recipient_id text not null,
  exported_at timestamptz(3) not null,
  account_id uuid not null,
  -- The amount of a payout in its batch file: once the payout is due again, its own amount is read from the ledger.
  amount bigint,
  primary key (payout_id, account_id),
  foreign key (account_id, payout_id) references payouts(account_id, id)
);

-- From how much a year on a partner is over the threshold of the year report, where an account says other than the
-- law.
create table tax_thresholds (
  account_id uuid not null references accounts,
  year int not null check (year >= 2000 and year <= 2101),
  amount bigint not null check (amount > 0),
  updated_at timestamptz(3) not null,
  primary key (account_id, year)
);

-- A database that was put back from an older copy has forgotten what was paid since. What was paid is read back, and
-- nothing is paid before both agree (docs/decisions/0014-a-stale-restore.md).
create table payout_reconciliations (
  account_id uuid primary key references payout_accounts(account_id),
  -- the life of the database (database/life.ts) in which what was paid last agreed with what stands here
  agreed_in text,
  -- payouts wait since then for an owner who has looked at the transfers
  paused_at timestamptz(3),
  -- the database is an older copy, not only the account new to its transfers: other systems are told nothing either
  whole_install boolean not null default false,
  -- which reading the rows below come from, and when it was complete
  reading_id uuid,
  read_at timestamptz(3),
  -- why it does not go on
  problem text,
  updated_at timestamptz(3) not null,
  -- A backup was restored, and nobody has to find that out: everything that leaves by itself waits until an owner has
  -- looked, also where nobody is paid by a carrier.
  restored boolean not null default false
);
create index payout_reconciliations_paused on payout_reconciliations (account_id) where paused_at is not null;

-- The transfers of an account as they were read back.
create table transfers_read (
  account_id uuid not null references payout_reconciliations(account_id),
  transfer_id text not null,
  reading_id uuid not null,
  paid_from text not null,
  transaction_id text,
  reference text,
  recipient_id text,
  quote_id text,
  -- in minor units of the account's currency; null where that was not told
  amount bigint,
  state text not null,
  standing text not null check (standing in ('unfunded', 'moving', 'sent', 'bounced', 'over', 'other')),
  made_at timestamptz(3),
  -- what the owner said of one that nothing here knows
  decision text check (decision in ('recorded', 'dismissed')),
  primary key (account_id, transfer_id)
);

-- Sales that an owner played through, for the screen that shows how it went; forgotten after a day.
create table rehearsals (
  id uuid not null,
  account_id uuid not null references accounts,
  partner_id uuid,
  blueprint_id uuid,
  amount bigint not null check (amount > 0),
  steps jsonb not null,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (id, account_id)
);
create index rehearsals_of_account on rehearsals (account_id, created_at);
create index rehearsals_by_age on rehearsals (created_at);

-- What each partner sold in a month: rankings of a year read these instead of every day of every partner.
create table month_stats (
  account_id uuid not null references accounts,
  month date not null check (extract(day from month) = (1)::numeric),
  partner_id uuid not null,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  primary key (account_id, month, partner_id)
) with (fillfactor=70);

create table passing_events (
  id uuid not null,
  account_id uuid not null,
  at timestamptz(3) not null,
  type text not null,
  kind text not null check (kind <> 'recorded'),
  audited boolean not null,
  actor_type text not null,
  actor_id uuid,
  network text,
  request_id text,
  subject_type text,
  subject_id uuid,
  data jsonb not null,
  primary key (id, account_id),
  constraint events_check check (kind = 'internal' or subject_type is not null),
  constraint events_check1 check (kind <> 'public' or account_id <> '00000000-0000-0000-0000-000000000000'),
  constraint events_kind_check check (kind in ('public', 'recorded', 'internal')),
  constraint events_actor_type_check check (actor_type in ('user', 'api-key', 'system'))
) partition by range (id);

-- The leads that a shop's customers are.
create table shop_customers (
  account_id uuid not null,
  shop_id uuid not null,
  customer_id text not null,
  lead_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, shop_id, customer_id),
  foreign key (account_id, shop_id) references provider_shops(account_id, id),
  foreign key (account_id, lead_id) references leads(account_id, id) on delete cascade
);

-- By what rows of files are known again that name no ID of their sale, and by what orders are; a sale that was taken
-- back with its import is not.
create table imported_sales (
  account_id uuid not null,
  key text not null check (length(key) <= 100),
  sale_id uuid not null,
  primary key (account_id, key),
  foreign key (account_id, sale_id) references sales(account_id, id)
);
create index imported_sales_of_sale on imported_sales (account_id, sale_id);

-- What was voided with an archived partner's balance, by sale: of what it earns them they keep so much and no more,
-- whatever refunds and corrections take or give later, also when the partner is back.
create table voided_commissions (
  account_id uuid not null,
  sale_id uuid not null,
  partner_id uuid not null,
  kept bigint not null,
  primary key (account_id, sale_id, partner_id),
  foreign key (account_id, sale_id) references sales(account_id, id),
  foreign key (account_id, partner_id) references partners(account_id, id)
);

alter table user_roles add foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade;

alter table invitations add foreign key (account_id, partner_id) references partners(account_id, id) on delete cascade;

alter table commission_entries add foreign key (account_id, correction_id) references sale_corrections(account_id, id);

alter table provider_connections add foreign key (account_id, shop_id) references provider_shops(account_id, id);

alter table provider_events add foreign key (account_id, shop_id) references provider_shops(account_id, id);

alter table provider_objects add foreign key (account_id, shop_id) references provider_shops(account_id, id);

alter table provider_payments add foreign key (account_id, shop_id) references provider_shops(account_id, id);

-- Rows from before there were months, by their ids; an id that no month has room for lies in `…_other`.
create table clicks_first (like clicks including defaults including constraints);
create index clicks_first_by_age on clicks_first using brin (at);
create index clicks_first_by_visitor on clicks_first (((ip_hash # uuid_hash_extended(partner_id, (0)::bigint))))
  where is_unique;
alter table clicks_first add primary key (id, account_id);
create table events_first (like events including defaults including constraints);
create index events_first_audited on events_first (account_id, at, id) where audited;
create index events_first_by_actor on events_first (account_id, actor_id, at, id) where audited;
create index events_first_by_subject on events_first (account_id, subject_id, at, id) where audited;
create index events_first_of_leads on events_first (subject_id, at, id) where subject_type = 'lead';
alter table events_first add primary key (id, account_id);
create index events_first_to_forget on events_first (at) where (kind <> 'recorded' and ((data ? 'object')
  or (not (audited or (not (subject_type is distinct from 'lead'))))));
do $$
declare
  until constant uuid := first_id_at(date_trunc('month', now(), 'UTC') + interval '1 month');
begin
  execute format('alter table clicks attach partition clicks_first for values from (minvalue) to (%L)', until);
  execute format('alter table events attach partition events_first for values from (minvalue) to (%L)', until);
end $$;
create table clicks_other partition of clicks default;
create table events_other partition of events default;
create table passing_events_other partition of passing_events default;

-- As they were told, with their objects: also those from before there were months.
create view told_events as
  select * from passing_events
  union all
  select * from events_first where data ? 'object' or kind = 'internal';

-- The activity names its subjects, also those that are gone, and is read by subject.
create view audit as
select e.id, e.account_id, e.at, e.actor_type, e.actor_id, e.type as action, e.subject_type, e.subject_id,
  coalesce(e.data -> 'changes', '{}') as changes, e.network, e.request_id,
  coalesce((select coalesce(t.data -> 'object' ->> 'displayName', t.data -> 'object' ->> 'name',
    t.data -> 'object' ->> 'accountName') from told_events t where t.account_id = e.account_id and t.id = e.id),
    e.data -> 'changes' -> 'name' ->> 'new') as told_name,
  (select t.data -> 'object' ->> 'currency' from told_events t where t.account_id = e.account_id and t.id = e.id) as currency
from events e where e.audited;

create view months as
  select i.inhparent::regclass::text as whole, c.relname::text as name, m.since, m.until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid,
    -- PostgreSQL may read the bounds of every partition there is, also those of the queue, which are times
    lateral (select
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''([0-9a-f-]{36})''\)')::uuid as since,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)')::uuid as until) m
  where i.inhparent in ('clicks'::regclass, 'events'::regclass, 'passing_events'::regclass);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

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

-- An approved payout is the sum of its live entries, all of them its own partner's.
create function check_payout_sum(wanted uuid) returns void language plpgsql as $$
declare
  payout payouts;
  bound bigint;
  foreign_entries integer;
begin
  select * into payout from payouts where id = wanted;
  if payout.status is null then return; end if;
  select coalesce(sum(e.amount), 0), count(*) filter (where e.partner_id <> payout.partner_id) into bound, foreign_entries
  from payout_entries pe join commission_entries e on e.id = pe.entry_id
  where pe.payout_id = wanted and pe.live;
  if foreign_entries > 0 then
    raise exception 'payout % holds entries of another partner', wanted using errcode = 'check_violation';
  end if;
  if payout.status in ('approved', 'processing', 'awaiting-funding', 'sent', 'paid', 'failed') and bound <> payout.amount then
    raise exception 'payout % is % but its entries sum to %', wanted, payout.amount, bound using errcode = 'check_violation';
  end if;
  if payout.status in ('gathering', 'canceled') and bound <> 0 then
    raise exception 'payout % holds entries though it is %', wanted, payout.status using errcode = 'check_violation';
  end if;
end $$;

create function check_payout_row() returns trigger language plpgsql as $$
begin perform check_payout_sum(new.id); return null; end $$;

-- The payout's row changes first, then its entries in one statement: so one check serves thousands of them.
create function check_payout_entries() returns trigger language plpgsql as $$
begin
  perform check_payout_sum(touched.payout_id) from (select distinct payout_id from changed) touched;
  return null;
end $$;

create function keep_intent() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.method is null or new.details_version is null or new.amount is null or new.currency is null or new.year is null then
      raise exception 'attempt % does not say what it is to pay', new.id using errcode = 'check_violation';
    end if;
    return new;
  end if;
  if (new.payout_id, new.number, new.customer_transaction_id, new.paid_from, new.method, new.details_version, new.amount,
      new.currency, new.year, new.at)
    is distinct from (old.payout_id, old.number, old.customer_transaction_id, old.paid_from, old.method,
      old.details_version, old.amount, old.currency, old.year, old.at)
    or (old.transfer_id is not null and new.transfer_id is distinct from old.transfer_id) then
    raise exception 'attempt % keeps what it is to pay', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- A payout that lets its entries go may be bound to others in the same transaction: what counts is where it stands at
-- its end.
create function check_nothing_under_way() returns trigger language plpgsql as $$
begin
  if exists (select from payouts where id = new.id and status in ('gathering', 'canceled'))
    and exists (select from payout_attempts where payout_id = new.id and stage <> 'over') then
    raise exception 'payout % may still have a transfer', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- An event stays as it was written. In `events_first`, from before there were months, the objects of those that are
-- shown go with time, and the others whole.
create function refuse_event_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    raise exception 'events are append-only: they are never emptied' using errcode = 'restrict_violation';
  elsif tg_op = 'DELETE' then
    if starts_with(tg_table_name, 'passing_events')
      or (tg_table_name = 'events_first' and not (old.audited or old.subject_type is not distinct from 'lead')) then
      return old;
    end if;
    raise exception 'events are append-only: this one is shown to people' using errcode = 'restrict_violation';
  elsif tg_table_name = 'events_first' and to_jsonb(new) - 'data' = to_jsonb(old) - 'data'
    and new.data = old.data - 'object' then
    return new;
  end if;
  raise exception 'events are append-only: they are never edited' using errcode = 'restrict_violation';
end $$;

-- Ageing of what no month is dropped with, with the rights of the owner: the role that the product serves as may only
-- read events and add to them.
create function forget_events(before timestamptz, most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ids uuid[];
  passed integer;
begin
  select array_agg(id) into ids from (
    select e.id from events_first e
    where e.kind <> 'recorded' and (e.data ? 'object' or not (e.audited or e.subject_type is not distinct from 'lead'))
      and e.at < before and not exists (select from event_relays r where r.event_id = e.id)
    order by e.at limit most) old;
  update events_first set data = data - 'object' where id = any(ids) and (audited or subject_type = 'lead');
  delete from events_first where id = any(ids) and not (audited or subject_type is not distinct from 'lead');

  delete from passing_events_other where id = any(array(
    select p.id from passing_events_other p
    where p.at < before and not exists (select from event_relays r where r.event_id = p.id)
      and not exists (select from outgoing_deliveries d where d.event_id = p.id)
    limit most));
  get diagnostics passed = row_count;
  return greatest(coalesce(cardinality(ids), 0), passed);
end $$;

-- The table of one month, with the rights and rules of the whole.
create function make_month(whole text, start timestamptz) returns void
language plpgsql set search_path = public, pg_temp set timezone = 'UTC' as $$
declare
  made constant text := whole || to_char(start, '_YYYY_MM');
  other constant text := whole || '_other';
  since constant uuid := first_id_at(start);
  until constant uuid := first_id_at(start + interval '1 month');
  statement text;
begin
  execute format('create table %I (like %I including defaults including constraints)', made, whole);
  -- what is only put where it belongs is no change
  execute format('alter table %I disable trigger user', other);
  execute format('with moved as (delete from %I where id >= %L and id < %L returning *) insert into %I select * from moved',
    other, since, until, made);
  execute format('alter table %I enable trigger user', other);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', whole, made, since, until);
  for statement in
    select format('revoke %s on %I from %s', privilege_type, made, grantee::regrole) from (
      select grantee, privilege_type from pg_class, aclexplode(relacl) where oid = to_regclass(made) and grantee <> relowner
      except select grantee, privilege_type from pg_class, aclexplode(relacl) where oid = to_regclass(whole)) surplus
  loop
    execute statement;
  end loop;
end $$;

-- Makes the tables of this month and the next two, and drops those whose rows are all older than `too_old`, but none
-- of what people are shown and none that something still refers to. The product serves as a role that may not do this
-- itself. Both wait for a moment only, as others wait behind them: an hour later is as good.
create function renew_months(of text, now timestamptz, too_old timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '250ms' as $$
declare
  start timestamptz;
  past text;
begin
  if of not in (select whole from months) or not has_table_privilege(session_user, of, 'insert') then
    raise insufficient_privilege using message = 'only who may write a table by month may renew its months';
  end if;
  perform pg_advisory_xact_lock(7281956);

  select coalesce(max(time_of_id(until)), date_trunc('month', coalesce(too_old, now))) into start
  from months where whole = of;
  while start < date_trunc('month', now) + interval '3 months' loop
    perform make_month(of, start);
    start := start + interval '1 month';
  end loop;

  for past in
    select name from months m
    where whole = of and of <> 'events' and until <= first_id_at(too_old) and not (of = 'passing_events' and (
      exists (select from event_relays where event_id >= m.since and event_id < m.until)
      or exists (select from outgoing_deliveries where event_id >= m.since and event_id < m.until)))
  loop
    execute format('drop table %I', past);
  end loop;
exception when lock_not_available then
  raise notice 'the months of % are renewed another time', of;
end $$;

-- The release before knows no shops of sales and keeps customers by provider.
create function shop_of_sale() returns trigger language plpgsql as $$
begin
  new.shop_id := (
    select shop_id from provider_connections where account_id = new.account_id and id = new.connection_id);
  return new;
end $$;

create function shops_of_customer() returns trigger language plpgsql as $$
begin
  insert into shop_customers (account_id, shop_id, customer_id, lead_id, created_at)
  select new.account_id, id, new.customer_id, new.lead_id, new.created_at
  from provider_shops where account_id = new.account_id and provider = new.provider
  on conflict do nothing;
  return new;
end $$;

create function keep_paid_on() returns trigger language plpgsql as $$
begin
  if new.status in ('sent', 'paid') and new.paid_on is null then
    new.paid_on := (coalesce(new.sent_at, new.paid_at) at time zone (select time_zone from accounts where id = new.account_id))::date;
  end if;
  return new;
end $$;

create trigger shops_of_customer after insert on lead_customers for each row execute function shops_of_customer();

create trigger shop_of_sale before insert on sales for each row when (((new.shop_id is null)
  and (new.connection_id is not null))) execute function shop_of_sale();

create trigger append_only before delete
  or update on commission_entries for each row execute function refuse_change();
create trigger append_only_table before truncate on commission_entries
  for each statement execute function refuse_change();
create constraint trigger reversals_within_earned after insert on commission_entries deferrable initially deferred
  for each row when (new.kind in ('reversal', 'restoration')) execute function check_reversals();

create constraint trigger freed_without_transfer after update of status on payouts deferrable initially deferred
  for each row when (new.status in ('gathering', 'canceled')) execute function check_nothing_under_way();
create constraint trigger payout_is_its_entries after insert or update of status, amount,
  partner_id on payouts deferrable initially deferred for each row execute function check_payout_row();
create trigger payout_keeps_paid_on before insert or update of status,
  paid_on on payouts for each row execute function keep_paid_on();

create trigger entries_stay before delete on payout_entries for each row execute function refuse_change();
create trigger inserted_entries_are_their_payout after insert on payout_entries referencing new table as changed
  for each statement execute function check_payout_entries();
create trigger updated_entries_are_their_payout after update on payout_entries referencing new table as changed
  for each statement execute function check_payout_entries();

create trigger attempts_stay before delete on payout_attempts for each row execute function refuse_change();
create trigger keeps_its_intent before insert
  or update on payout_attempts for each row execute function keep_intent();

create trigger append_only before delete or update on payout_events for each row execute function refuse_change();
create trigger append_only_table before truncate on payout_events for each statement execute function refuse_change();

create trigger append_only before delete or update on sale_corrections for each row execute function refuse_change();
create trigger append_only_table before truncate on sale_corrections
  for each statement execute function refuse_change();

create trigger append_only before delete or update on events for each row execute function refuse_event_change();
create trigger append_only_table before truncate on events for each statement execute function refuse_event_change();

create trigger append_only before delete
  or update on passing_events for each row execute function refuse_event_change();
create trigger append_only_table before truncate on passing_events
  for each statement execute function refuse_event_change();

select renew_months('clicks', now(), null), renew_months('events', now(), null),
  renew_months('passing_events', now(), now() - interval '90 days');
