-- the bank booked this payment by its own name, so that no sum of the file's other payments holds it
alter table payment_file_payouts add column by_name boolean not null default false;
