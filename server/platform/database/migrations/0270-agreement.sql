-- The agreement between an account and its partners, in versions that stay as they were published.
create table agreement_versions (
  account_id uuid not null,
  version int not null check (version > 0),
  text text not null check (length(text) between 1 and 50000),
  -- in hexadecimal; not a secret, so it is exported
  text_sha256 text not null check (text_sha256 ~ '^[0-9a-f]{64}$'),
  changes text check (length(changes) between 1 and 500),
  -- from this day payouts wait for an acceptance
  required_from date,
  published_at timestamptz(3) not null,
  published_by uuid,
  primary key (account_id, version),
  check (version = 1 or changes is not null)
);
select place_with_account('agreement_versions');
alter table agreement_versions add foreign key (account_id) references accounts;

-- Who accepted which version, when and how.
create table agreement_acceptances (
  account_id uuid not null,
  partner_id uuid not null,
  version int not null,
  text_sha256 text not null,
  through text not null check (through in ('application', 'sign-in')),
  user_id uuid,
  name text,
  email text,
  network text,
  at timestamptz(3) not null,
  primary key (account_id, partner_id, version)
);
select place_with_account('agreement_acceptances');
alter table agreement_acceptances add foreign key (account_id, version) references agreement_versions;
alter table agreement_acceptances add foreign key (account_id, partner_id) references partners (account_id, id);

-- Only the day from which payouts wait may change.
create function refuse_agreement_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - 'required_from' = to_jsonb(old) - 'required_from' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- An acceptance may lose its person; nothing is ever written.
create function refuse_acceptance_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(new) = to_jsonb(old) || '{"name": null, "email": null, "network": null}' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger append_only before delete or update on agreement_versions
  for each row execute function refuse_agreement_change();
create trigger append_only_table before truncate on agreement_versions
  for each statement execute function refuse_agreement_change();
create trigger append_only before delete or update on agreement_acceptances
  for each row execute function refuse_acceptance_change();
create trigger append_only_table before truncate on agreement_acceptances
  for each statement execute function refuse_acceptance_change();

alter table applications
  -- the version that the applicant ticked on the form, and from which network
  add column agreement_version int,
  add column agreement_network text;
