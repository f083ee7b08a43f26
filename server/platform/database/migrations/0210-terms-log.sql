-- Every change of what an account, a link or a partner pays: `terms` null takes a link's or partner's own away. A booking
-- stores the highest number it saw, so that it can be told later which terms held.
create table terms_log (
  account_id uuid not null,
  number int not null check (number > 0),
  subject text not null check (subject in ('account', 'link', 'partner')),
  subject_id uuid not null,
  -- {"rules": [], "otherwise": {"layerRates": [20, 5]}, "maxPerCustomer": null, "maxPerMonth": null}
  terms jsonb check (octet_length(terms::text) <= 12000),
  applies_to text not null check (applies_to in ('new-customers', 'all-sales')),
  saved_at timestamptz(3) not null,
  -- null: from before the log, or by a server of the release before
  saved_by text,
  note text check (length(note) <= 200),
  primary key (account_id, number),
  check (subject <> 'account' or (terms is not null and subject_id = account_id))
);
create index terms_log_by_subject on terms_log (account_id, subject_id, number);
select place_with_account('terms_log');
alter table terms_log add foreign key (account_id) references accounts;

-- When the customer got the sale's partner, who may have lost them since; null: before the log, or without a partner.
alter table sales add column referred_at timestamptz(3);

create trigger append_only before delete or update on terms_log for each row execute function refuse_change();
create trigger append_only_table before truncate on terms_log for each statement execute function refuse_change();

create function terms_of_rates(rates int[]) returns jsonb immutable language sql as $$
  select jsonb_build_object('rules', '[]'::jsonb, 'otherwise', jsonb_build_object('layerRates',
      (select jsonb_agg(trim_scale(rate / 10000.0) order by place) from unnest(rates) with ordinality as r (rate, place))),
    'maxPerCustomer', null, 'maxPerMonth', null)
  where rates is not null
$$;

-- The percentages as stored beside the account, link or partner; zero where an amount is paid.
create function rates_of_terms(terms jsonb) returns int[] immutable language sql as $$
  select coalesce(
    (select array_agg(round(rate::numeric * 10000)::int order by place)
      from jsonb_array_elements_text(terms -> 'otherwise' -> 'layerRates') with ordinality as r (rate, place)), '{0}')
  where terms is not null
$$;

-- Servers of the release before write rates without the log: their change is logged when it commits. Goes with the next
-- release.
create function log_rates() returns trigger language plpgsql as $$
declare
  kind text := tg_argv[0];
  account uuid := case kind when 'account' then new.id else (to_jsonb(new) ->> 'account_id')::uuid end;
  rates int[];
begin
  perform pg_advisory_xact_lock(hashtextextended('account ' || account, 0));
  execute format('select layer_rates_ppm from %I where id = $1', tg_table_name) into rates using new.id;
  if rates is distinct from rates_of_terms((
    select terms from terms_log where account_id = account and subject_id = new.id order by number desc limit 1)) then
    insert into terms_log (account_id, number, subject, subject_id, terms, applies_to, saved_at)
    select account, coalesce(max(number), 0) + 1, kind, new.id, terms_of_rates(rates), 'all-sales', now()
    from terms_log where account_id = account;
  end if;
  return null;
end $$;

-- On a cluster, accounts and links are on every machine and cannot write the log of one account.
do $$
declare
  one record;
begin
  if exists (select from pg_extension where extname = 'citus') then return; end if;
  for one in select * from (values ('accounts', 'account'), ('link_blueprints', 'link'), ('partners', 'partner')) as t (name, kind) loop
    execute format('create constraint trigger new_rates_are_logged after insert on %I deferrable initially deferred
      for each row when (new.layer_rates_ppm is not null) execute function log_rates(%L)', one.name, one.kind);
    execute format('create constraint trigger rates_are_logged after update on %I deferrable initially deferred
      for each row when (old.layer_rates_ppm is distinct from new.layer_rates_ppm) execute function log_rates(%L)', one.name, one.kind);
  end loop;
end $$;

insert into terms_log (account_id, number, subject, subject_id, terms, applies_to, saved_at)
  select account_id, row_number() over (partition by account_id order by place, created_at, id), subject, id,
    terms_of_rates(layer_rates_ppm), 'all-sales', now()
  from (
    select id as account_id, 1 as place, 'account' as subject, id, created_at, layer_rates_ppm from accounts
    union all
    select account_id, 2, 'link', id, created_at, layer_rates_ppm from link_blueprints where layer_rates_ppm is not null
    union all
    select account_id, 3, 'partner', id, created_at, layer_rates_ppm from partners where layer_rates_ppm is not null) known;
