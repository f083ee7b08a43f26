-- Roll-ups, kept in the transaction that changes a figure. The nil id stands for 'all':
-- (nil, nil) the account, (partner, nil) a partner, (nil, blueprint) a blueprint, (partner, blueprint) one link.
create table day_stats (
  account_id uuid not null references accounts (id),
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
) with (fillfactor = 70);

create table total_stats (
  account_id uuid not null references accounts (id),
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
) with (fillfactor = 70);
create index total_stats_by_partner on total_stats (partner_id) where blueprint_id = '00000000-0000-0000-0000-000000000000';

create table lead_stats (
  lead_id uuid primary key references leads (id) on delete cascade,
  account_id uuid not null references accounts (id),
  sales bigint not null default 0,
  revenue bigint not null default 0,
  share bigint not null default 0
) with (fillfactor = 70);
