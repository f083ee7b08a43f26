-- A partner's details for invoices, in versions that stay as they were agreed to.
create table invoice_details (
  account_id uuid not null,
  partner_id uuid not null,
  version integer not null check (version > 0),
  legal_name text check (length(legal_name) between 1 and 200),
  -- {addressLine, zipCode, city, state}
  address jsonb,
  country text not null check (country ~ '^[A-Z]{2}$'),
  vat_id text check (length(vat_id) between 1 and 20),
  small_business boolean not null,
  -- the words that were agreed to, by whom and when
  agreed_words text not null,
  user_id uuid,
  agreed_at timestamptz(3) not null,
  primary key (account_id, partner_id, version)
);
select place_with_account('invoice_details');
alter table invoice_details add foreign key (account_id, partner_id) references partners (account_id, id);

-- Self-billing invoices and credit notes: one for each cash line of a payout that was approved under invoicing.
create table invoices (
  id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('invoice', 'credit-note')),
  payout_id uuid not null,
  -- of the cash line
  turn integer not null,
  partner_id uuid not null,
  -- null while the series is unsure
  number integer check (number > 0),
  prefix text,
  issued_on date not null,
  net bigint not null check (net > 0),
  -- in percent
  tax_rate numeric(4, 2) not null check (tax_rate between 0 and 30),
  tax bigint not null check (tax >= 0),
  gross bigint not null,
  currency text not null,
  treatment text not null check (treatment in ('standard', 'exempt', 'reverse-charge', 'outside-scope')),
  -- both parties, the lines and the words
  snapshot jsonb not null,
  -- the invoice that a credit note takes back
  credits uuid,
  created_at timestamptz(3) not null,
  primary key (id, account_id),
  check (gross = net + tax),
  check ((kind = 'credit-note') = (credits is not null)),
  check ((kind = 'invoice') = (turn % 2 = 0)),
  check ((number is null) = (prefix is null))
);
create unique index one_document_per_cash_line on invoices (account_id, payout_id, turn);
create unique index one_document_per_number on invoices (account_id, number);
create unique index one_credit_note_per_invoice on invoices (account_id, credits) where credits is not null;
create index invoices_by_time on invoices (account_id, created_at, id);
create index invoices_by_partner on invoices (account_id, partner_id, created_at, id);
create index invoices_without_number on invoices (account_id) where number is null;
select place_with_account('invoices');
alter table invoices add foreign key (account_id) references accounts;
alter table invoices add foreign key (account_id, partner_id) references partners (account_id, id);
alter table invoices add foreign key (account_id, payout_id, turn) references payout_cash;
alter table invoices add foreign key (credits, account_id) references invoices (id, account_id);

-- Numbers of the series that no document has, each with the reason that the owner gave.
create table invoice_jumps (
  account_id uuid not null,
  from_number integer not null check (from_number > 0),
  to_number integer not null check (to_number > from_number),
  reason text not null check (length(reason) between 1 and 1000),
  made_by uuid,
  at timestamptz(3) not null,
  primary key (account_id, from_number)
);
select place_with_account('invoice_jumps');
alter table invoice_jumps add foreign key (account_id) references accounts;

-- Details may lose their person.
create function refuse_invoice_details_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(new) = to_jsonb(old) || '{"legal_name": null, "address": null, "vat_id": null}' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- A document may get its number once, and its snapshot may lose the partner. Nothing else is ever written.
create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (to_jsonb(new) - '{number, prefix, snapshot}'::text[]) = (to_jsonb(old) - '{number, prefix, snapshot}'::text[])
      and (new.snapshot = old.snapshot or new.snapshot = old.snapshot || '{"partner": null}')
      and (old.number is null or (new.number, new.prefix) = (old.number, old.prefix)) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger append_only before delete or update on invoice_details
  for each row execute function refuse_invoice_details_change();
create trigger append_only_table before truncate on invoice_details
  for each statement execute function refuse_invoice_details_change();
create trigger append_only before delete or update on invoices
  for each row execute function refuse_invoice_change();
create trigger append_only_table before truncate on invoices
  for each statement execute function refuse_invoice_change();
create trigger append_only before delete or update on invoice_jumps for each row execute function refuse_change();
create trigger append_only_table before truncate on invoice_jumps
  for each statement execute function refuse_change();
