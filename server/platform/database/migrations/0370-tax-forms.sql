-- Tax forms that partners signed here, sealed whole. A form that an owner received elsewhere is in `partners.tax_form`
-- alone, as before; one signed here is there too, with `source`.
create table tax_forms (
  id uuid not null,
  account_id uuid not null,
  partner_id uuid not null,
  -- of the partner, from 1
  number integer not null check (number > 0),
  kind text not null check (kind in ('w-9', 'w-8ben')),
  received_on date not null,
  tin_type text check (tin_type in ('ssn', 'ein', 'us', 'foreign', 'not-required')),
  tin_last4 text,
  classification text,
  -- null: emptied
  form_sealed bytea,
  -- since when another form or record counts
  replaced_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (id, account_id),
  unique (account_id, partner_id, number)
);
create unique index tax_forms_present on tax_forms (account_id, partner_id) where replaced_at is null;
select place_with_account('tax_forms');
alter table tax_forms add foreign key (account_id, partner_id) references partners (account_id, id);
