-- Each change of a day's figures counts up in the account's own row: a report adds up again the days that have moved on.
alter table day_stats add column version bigint not null default 0;

-- Source, path, country and device of the visit that brought a lead, which is kept longer than the visit; null until a
-- report looks.
alter table leads add column origin jsonb;
create function forget_origin() returns trigger language plpgsql as $$
begin
  if new.click_id is distinct from old.click_id then new.origin = null; end if;
  return new;
end $$;
create trigger forget_origin before update of click_id on leads for each row execute function forget_origin();

-- Figures of a day by what brought them: visits, and what became of them. Beyond so many kinds a day the rest is one.
create table report_days (
  account_id uuid not null,
  day date not null,
  dimension text not null,
  part text not null check (part in ('visits', 'results')),
  kind text not null check (kind in ('value', 'none', 'others')),
  value text not null default '',
  -- the nil id: without a partner
  partner_id uuid not null,
  clicks bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  share bigint not null default 0,
  refunds bigint not null default 0,
  primary key (account_id, dimension, day, part, kind, value, partner_id)
);
select place_with_account('report_days');
alter table report_days add foreign key (account_id) references accounts;

-- Days added up, at which version of their figures, and in which dimensions there were more kinds than are kept.
create table reported_days (
  account_id uuid not null,
  day date not null,
  version bigint not null,
  capped text[] not null default '{}',
  primary key (account_id, day)
);
select place_with_account('reported_days');
alter table reported_days add foreign key (account_id) references accounts;

create table saved_reports (
  id uuid not null,
  account_id uuid not null,
  name text not null check (length(name) between 1 and 100),
  dimension text not null,
  period text not null,
  sort text not null,
  search text,
  -- as a list's query has them
  partner_ids text,
  every text check (every in ('week', 'month')),
  -- who saved it, and gets the mail
  user_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (id, account_id)
);
create index saved_reports_by_time on saved_reports (account_id, created_at, id);
select place_with_account('saved_reports');
alter table saved_reports add foreign key (account_id) references accounts;
