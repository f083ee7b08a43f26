-- [{"id", "productId", "priceId", "sku", "name", "quantity", "amount"}], net in the sale's currency; null: none reported
alter table sales add column lines jsonb check (octet_length(lines::text) <= 100000);
-- the customer's, two capitals, as the payment reports it
alter table sales add column country text;
-- as entered by the buyer
alter table sales add column promotion_codes text[];
-- one of them was some partner's when it was reported
alter table sales add column partner_code boolean not null default false;
-- Of a sale whose terms ask for it: its place among its customer's credited sales, and the day of the first of them.
alter table sales add column customer_place int check (customer_place >= 1);
alter table sales add column customer_since date;

-- [{"id", "amount"}], gross in the sale's currency: the lines of the sale that the refund names
alter table refunds add column lines jsonb check (octet_length(lines::text) <= 20000);

-- of the click that referred the lead
alter table leads add column country text;

-- minor units of the account's currency; set for an entry of terms that pay an amount for the sale as a whole
alter table commission_entries add column flat_amount bigint check (flat_amount > 0);
-- the name of the rule that paid, if a single one did
alter table commission_entries add column rule text check (length(rule) <= 60);
-- without a rate: paid as an amount, or by several rules
alter table commission_entries drop constraint commission_entries_check3;
alter table commission_entries add constraint commission_entries_check3
  check (sale_id is null or (layer is not null and base_amount is not null)) not valid;

-- whether any terms of an account depend on the place of a sale among its customer's
create index terms_log_by_place on terms_log (account_id)
  where jsonb_path_exists(terms, '$.rules[*].when ? (exists(@.firstPayments) || exists(@.firstMonths))');
-- number of earlier entries with the same cause, kind, partner and layer: another payment may move a sale to and fro
alter table commission_entries add column turn int not null default 0 check (turn >= 0);
