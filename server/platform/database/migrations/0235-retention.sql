-- An account's own retention; the defaults are what was kept before.
alter table accounts add column raw_data_days integer not null default 400 check (raw_data_days between 7 and 400);
alter table accounts add column idle_lead_months integer check (idle_lead_months between 3 and 60);
alter table accounts add column payee_years integer not null default 7 check (payee_years between 0 and 12);
