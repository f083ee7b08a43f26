-- outside a transaction
-- How many sales there are follows from the figures and from the few that no figure counts.
create index concurrently if not exists sales_beside_figures on sales (account_id) where lead_id is null or status = 'void';

-- A page of a partner's commissions, and what all of them add up to, ask for the account too. Without it in the index, every
-- entry was looked up in the table for the sum, and where statistics were old, all of them were sorted for the page.
create index concurrently if not exists commission_entries_in_order on commission_entries (account_id, partner_id, created_at, id) include (amount);

drop index concurrently if exists commission_entries_of_partner;
