-- Payouts of a state in the order of their list, and whose they are and how much: what many partners are owed, what was paid
-- and what gathers read no more than these.
create index payouts_in_order on payouts (account_id, status, created_at, id) include (partner_id, amount);
drop index payouts_by_status;
