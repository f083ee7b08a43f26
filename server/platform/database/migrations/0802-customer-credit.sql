-- The customers at the payment provider on whose records the account's own customers are credited.
create table partner_customers (
  account_id uuid not null,
  partner_id uuid not null,
  connection_id uuid not null,
  customer_id text not null check (length(customer_id) between 1 and 255),
  problem text check (problem in ('customer-deleted', 'customer-currency-differs')),
  updated_at timestamptz(3) not null,
  primary key (partner_id, account_id)
);
create unique index partner_customers_taken on partner_customers (account_id, connection_id, customer_id);
select place_with_account('partner_customers');
alter table partner_customers add foreign key (account_id, partner_id) references partners (account_id, id);
alter table payouts drop constraint payouts_method_check;
alter table payouts add constraint payouts_method_check
  check (method in ('wise', 'paypal', 'sepa', 'units', 'credit', 'manual', 'csv')) not valid;
