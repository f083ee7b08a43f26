-- A page of a partner's commissions, newest first, and what all of them add up to, without reading each. It takes the
-- place of an index by account that nothing reads.
create index commission_entries_of_partner on commission_entries (partner_id, created_at, id) include (amount);
drop index commission_entries_by_account;
