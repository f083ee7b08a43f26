-- The provider's fee that the account bore, as known when the money left, and the invoice's terms fixed by the approval.
-- Earlier lines keep a fee of 0 and no terms, so that past days of the journal stay as they are.
alter table payout_cash
  add column fee bigint not null default 0 check (fee >= 0 and (fee = 0 or kind = 'out')),
  add column invoice_terms jsonb;
