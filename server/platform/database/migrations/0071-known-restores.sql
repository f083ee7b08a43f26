-- A backup was restored, and nobody has to find that out: everything that leaves by itself waits until an owner has looked,
-- also where nobody is paid by a carrier.
alter table payout_reconciliations add column restored boolean not null default false;
