-- VAT is paid beside the amount, which stays what the ledger says. One step, since each rewrites the table.
alter table payouts
  add column tax_amount bigint not null default 0 check (tax_amount >= 0),
  -- what leaves: files, ceilings and providers see it
  add column pay_amount bigint generated always as (amount + tax_amount) stored,
  -- what the approval fixed of the invoice: {treatment, rate, version, account}; null for a payout without one
  add column invoice_terms jsonb;

-- as the file has it
alter table wise_batch_payouts
  add column tax_amount bigint not null default 0,
  add column invoice_terms jsonb;

-- Servers of the release before undo an approval without these. Goes with the next release.
create function forget_tax() returns trigger language plpgsql as $$
begin
  new.tax_amount := 0;
  new.invoice_terms := null;
  return new;
end $$;
create trigger forgets_tax before update of status on payouts for each row
  when (new.amount is null and (new.tax_amount <> 0 or new.invoice_terms is not null)) execute function forget_tax();
