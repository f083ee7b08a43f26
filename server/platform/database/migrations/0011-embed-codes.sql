create table embed_codes (
  id uuid primary key,
  account_id uuid not null unique references accounts (id),
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
  updated_at timestamptz(3) not null
);

-- A visit of the owner's own to his site, where the script reports once which elements it finds.
create table embed_checks (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  token_hash bytea not null unique,
  -- {element: true or false}, once reported
  matched jsonb,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index embed_checks_by_age on embed_checks (account_id, created_at);
