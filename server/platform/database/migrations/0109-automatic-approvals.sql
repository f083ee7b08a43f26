-- outside a transaction
-- The sum that an automatic run has approved since midnight, which its ceiling counts.
create index concurrently if not exists payouts_approved_automatically on payouts (account_id, approved_at) where approved_by is null and status not in ('gathering', 'canceled');
