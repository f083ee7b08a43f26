-- The amount of a payout in its batch file: once the payout is due again, its own amount is read from the ledger.
alter table wise_batch_payouts add column amount bigint;
