-- What the provider took from the account besides, as told when the money left, and what the approval had fixed of the
-- invoice. Past days of the journal stay as they are; money that left before invoices has none.
alter table payout_cash
  add column fee bigint not null default 0 check (fee >= 0 and (fee = 0 or kind = 'out')),
  add column invoice_terms jsonb;
