-- What the partner of a sale earned of it as whoever kept it before recorded, in the sale's currency; null: by our rates.
alter table sales add column given_commission bigint check (given_commission >= 0);
alter table sales add check (given_commission <= amount);
alter table sales add check (given_commission is null or provider = 'import');
