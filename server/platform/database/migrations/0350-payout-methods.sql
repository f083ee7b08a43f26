-- An account's ways to pay in the owner's order, without by hand, which is always the last. The release before knows
-- one: Wise, or by hand.
alter table payout_accounts add column methods text[] not null default '{}'
  check (methods <@ '{wise,paypal,sepa}');
update payout_accounts set methods = '{wise}' where method = 'wise';

-- Keeps `method` and `methods` in step, whichever a server writes. Dropped together with `method` in the next release.
create function keep_methods() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.methods is distinct from old.methods then
    if new.methods <> '{}' or tg_op = 'UPDATE' then
      new.method := case when 'wise' = any(new.methods) then 'wise' else 'manual' end;
      return new;
    end if;
  elsif new.method is not distinct from old.method then
    return new;
  end if;
  new.methods := case
    when new.method <> 'wise' then array_remove(new.methods, 'wise')
    when 'wise' = any(new.methods) then new.methods
    else new.methods || '{wise}' end;
  return new;
end $$;
create trigger keep_methods before insert or update of method, methods on payout_accounts
  for each row execute function keep_methods();

-- Settings of PayPal and SEPA files: credentials, or the account that is debited.
create table method_secrets (
  account_id uuid not null,
  method text not null check (method in ('paypal', 'sepa')),
  settings_sealed bytea not null,
  -- shown to owners: its last digits
  hint text,
  -- pays on paydays without a person
  automatic boolean not null default false,
  trouble text,
  trouble_kind text check (trouble_kind in ('unauthorized', 'forbidden')),
  updated_at timestamptz(3) not null,
  primary key (account_id, method)
);
select place_with_account('method_secrets');
alter table method_secrets add foreign key (account_id) references accounts;

-- The part of the sealed details that may be read without a key.
alter table payout_settings
  add column kind text not null default 'us-bank' check (kind in ('us-bank', 'iban', 'local-bank', 'paypal')),
  add column country text default 'US',
  add column currency text not null default 'usd',
  add column hint text;

-- The owner's own choice for a partner; null for the first way that reaches their details.
alter table partners add column payout_method text check (payout_method in ('wise', 'paypal', 'sepa', 'manual'));

-- The payee's details at approval; null means a bank account in the United States.
alter table payouts add column payee_kind text, add column payee_country text, add column payee_currency text,
  add column payee_hint text;
alter table payouts drop constraint payouts_method_check;
alter table payouts add constraint payouts_method_check
  check (method in ('wise', 'paypal', 'sepa', 'manual', 'csv')) not valid;
