-- A partner's own link: a page of its template's hosts, with a name. Its key has a character more than a template's.
create table partner_links (
  id uuid primary key,
  account_id uuid not null references accounts,
  partner_id uuid not null,
  blueprint_id uuid not null,
  key text not null unique check (key ~ '^[a-z0-9]{9}$'),
  name text not null,
  destination_url text not null,
  domain text not null,
  sub_id text check (sub_id <> ''),
  -- deleted: no longer in any list, while its address still leads on
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  unique (account_id, id),
  foreign key (account_id, blueprint_id) references link_blueprints(account_id, id)
);
create index partner_links_by_partner on partner_links (account_id, partner_id, created_at, id)
  where archived_at is null;
create index partner_links_by_blueprint on partner_links (account_id, blueprint_id, created_at, id)
  where archived_at is null;

-- What came of each own link, in its template's figures too.
create table link_totals (
  account_id uuid not null,
  link_id uuid not null,
  clicks bigint not null default 0,
  leads bigint not null default 0,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  primary key (account_id, link_id)
) with (fillfactor=70);
select place_with_account('link_totals');
alter table link_totals add foreign key (account_id) references accounts;

alter table link_blueprints
  -- further hosts of the pages that own links may lead to
  add column more_domains text[] not null default '{}',
  add column partner_links boolean not null default true;

-- The own link of a visit and the value it carried. Both go with the click to its lead while its partner keeps it.
alter table clicks add column link_id uuid, add column sub_id text;
alter table leads add column link_id uuid, add column sub_id text;

-- The own link that a sale was counted for when it was booked, like its template.
alter table sales add column link_id uuid;
