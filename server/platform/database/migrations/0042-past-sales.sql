-- Of what a provider remembers: how many of the sales created have no partner.
alter table imports add column unattributed integer not null default 0 check (unattributed >= 0);

-- What the provider remembers was last gone through whole.
alter table provider_connections add column reconciled_at timestamptz(3);

-- Whether the provider was asked for it, rather than delivered it.
alter table provider_events add column remembered boolean not null default false;

-- The payments that an import of past sales met, each once; gone when it has ended.
create table import_payments (
  import_id uuid not null references imports on delete cascade,
  payment_key text not null,
  -- newcomer: of a dry run, somebody who has told whose customer they are
  outcome text not null check (outcome in ('created', 'known', 'newcomer')),
  amount bigint not null,
  currency text not null,
  -- a partner is credited
  credited boolean not null,
  customer_id text,
  email text,
  primary key (import_id, payment_key)
);

-- What a dry run learned of payments that it does not book, page by page; as provider_objects.
create table import_objects (
  import_id uuid not null references imports on delete cascade,
  payment_key text not null,
  kind text not null,
  object_id text not null,
  group_key text,
  rank bigint not null,
  at timestamptz(3) not null,
  data jsonb not null,
  primary key (import_id, payment_key, kind, object_id)
);
create index import_objects_by_group on import_objects (import_id, group_key) where group_key is not null;
