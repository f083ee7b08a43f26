-- Partners with the same terms. The default group has the id of its account, whose terms are its own. A deleted group is
-- kept for the customers and sales that its terms still touch.
create table groups (
  id uuid not null,
  account_id uuid not null,
  -- for the owner
  name text not null check (length(name) between 1 and 60),
  -- for partners
  public_name text check (length(public_name) between 1 and 60),
  layer_rates_ppm int[],
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (id, account_id),
  check (id <> account_id or (layer_rates_ppm is null and deleted_at is null))
);
create unique index groups_name on groups (account_id, lower(name)) where deleted_at is null;
select place_with_account('groups');
alter table groups add foreign key (account_id) references accounts;
insert into groups (id, account_id, name, created_at, updated_at) select id, id, 'Default', created_at, created_at from accounts;

-- Null is the default group. A cache of the partner's newest move.
alter table partners add column group_id uuid;
-- goals never move this partner
alter table partners add column keep_in_group boolean not null default false;
alter table partners add foreign key (account_id, group_id) references groups (account_id, id);
create index partners_by_group on partners (account_id, group_id, id) where group_id is not null;

-- The log of terms also has moves: of `partner_id` to `group_id`, null for the default group.
alter table terms_log alter column subject_id drop not null;
alter table terms_log add column partner_id uuid;
alter table terms_log add column group_id uuid;
alter table terms_log drop constraint terms_log_subject_check;
alter table terms_log add constraint terms_log_subject_check
  check (subject in ('account', 'group', 'link', 'partner', 'move'));
alter table terms_log add constraint terms_log_move check (case subject
  when 'move' then partner_id is not null and subject_id is null and terms is null
  else subject_id is not null and partner_id is null and group_id is null end);
create index terms_log_by_partner on terms_log (account_id, partner_id, number) where partner_id is not null;

-- Servers of the release before create accounts without a group. Goes with the next release.
create function add_default_group() returns trigger language plpgsql as $$
begin
  insert into groups (id, account_id, name, created_at, updated_at)
  values (new.id, new.id, 'Default', new.created_at, new.created_at) on conflict do nothing;
  return null;
end $$;

-- On a cluster, accounts are on every machine and cannot write rows of one account.
do $$
begin
  if exists (select from pg_extension where extname = 'citus') then return; end if;
  create constraint trigger has_default_group after insert on accounts deferrable initially deferred
    for each row execute function add_default_group();
end $$;
