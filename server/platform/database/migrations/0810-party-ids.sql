-- Numbers of the parties that electronic invoices name beside the VAT ID.
alter table invoice_details
  add column tax_number text check (length(tax_number) between 1 and 30),
  add column company_number text check (length(company_number) between 1 and 50),
  -- scheme:id
  add column peppol_id text check (peppol_id ~ '^\d{4}:[A-Za-z0-9._~-]{1,50}$');
alter table invoicing_settings
  add column company_number text check (length(company_number) between 1 and 50),
  add column peppol_id text check (peppol_id ~ '^\d{4}:[A-Za-z0-9._~-]{1,50}$');

create or replace function refuse_invoice_details_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(new) = to_jsonb(old) || '{"legal_name": null, "address": null, "vat_id": null, "tax_number": null,
      "company_number": null, "peppol_id": null}' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
