-- Distributes a server's tables over a Citus cluster (docs/scaling.md). Run it once on the first machine, while the server is
-- stopped: psql --single-transaction -v ON_ERROR_STOP=1 -f citus.sql "$DATABASE_URL"
-- Generated from the catalogue by test/citus/citus.test.ts.
create extension if not exists citus;
-- Reference tables cannot refer to distributed ones. The comment gives the reason why each constraint can be dropped.
alter table invitations drop constraint invitations_account_id_partner_id_fkey; -- deleting a partner deletes their invitation itself
alter table user_roles drop constraint user_roles_account_id_partner_id_fkey; -- deleting a partner deletes their roles itself
-- Tables with triggers cannot be distributed. Most changes that they refuse are also forbidden to the serving role, and
-- verify-ledger finds the rest.
drop trigger append_only on commission_entries;
drop trigger append_only_table on commission_entries;
drop trigger reversals_within_earned on commission_entries;
drop trigger append_only on events;
drop trigger append_only_table on events;
drop trigger append_only on passing_events;
drop trigger append_only_table on passing_events;
drop trigger attempts_stay on payout_attempts;
drop trigger keeps_its_intent on payout_attempts;
drop trigger entries_stay on payout_entries;
drop trigger inserted_entries_are_their_payout on payout_entries;
drop trigger updated_entries_are_their_payout on payout_entries;
drop trigger freed_without_transfer on payouts;
drop trigger payout_is_its_entries on payouts;
drop trigger payout_keeps_paid_on on payouts;
drop trigger append_only on sale_corrections;
drop trigger append_only_table on sale_corrections;
-- Reference tables: small tables joined with rows of all accounts.
select create_reference_table('users');
select create_reference_table('accounts');
select create_reference_table('api_keys');
select create_reference_table('link_blueprints');
select create_reference_table('embed_codes');
select create_reference_table('euro_rates');
select create_reference_table('provider_shops');
select create_reference_table('provider_connections');
select create_reference_table('incoming_webhooks');
select create_reference_table('invitations');
select create_reference_table('outgoing_webhooks');
select create_reference_table('user_roles');
-- Distributed tables: all rows of an account are on one machine.
select create_distributed_table('partners', 'account_id');
select create_distributed_table('account_days', 'account_id', colocate_with => 'partners');
select create_distributed_table('account_exchange_rates', 'account_id', colocate_with => 'partners');
select create_distributed_table('bulk_actions', 'account_id', colocate_with => 'partners');
select create_distributed_table('clicks', 'account_id', colocate_with => 'partners');
select create_distributed_table('leads', 'account_id', colocate_with => 'partners');
select create_distributed_table('sales', 'account_id', colocate_with => 'partners');
select create_distributed_table('sale_corrections', 'account_id', colocate_with => 'partners');
select create_distributed_table('refunds', 'account_id', colocate_with => 'partners');
select create_distributed_table('commission_entries', 'account_id', colocate_with => 'partners');
select create_distributed_table('day_stats', 'account_id', colocate_with => 'partners');
select create_distributed_table('events', 'account_id', colocate_with => 'partners');
select create_distributed_table('former_emails', 'account_id', colocate_with => 'partners');
select create_distributed_table('imports', 'account_id', colocate_with => 'partners');
select create_distributed_table('import_files', 'account_id', colocate_with => 'partners');
select create_distributed_table('import_objects', 'account_id', colocate_with => 'partners');
select create_distributed_table('import_payments', 'account_id', colocate_with => 'partners');
select create_distributed_table('import_rows', 'account_id', colocate_with => 'partners');
select create_distributed_table('imported_sales', 'account_id', colocate_with => 'partners');
select create_distributed_table('incoming_deliveries', 'account_id', colocate_with => 'partners');
select create_distributed_table('lead_customers', 'account_id', colocate_with => 'partners');
select create_distributed_table('lead_stats', 'account_id', colocate_with => 'partners');
select create_distributed_table('lead_submissions', 'account_id', colocate_with => 'partners');
select create_distributed_table('mail_days', 'account_id', colocate_with => 'partners');
select create_distributed_table('mail_news', 'account_id', colocate_with => 'partners');
select create_distributed_table('month_stats', 'account_id', colocate_with => 'partners');
select create_distributed_table('outgoing_deliveries', 'account_id', colocate_with => 'partners');
select create_distributed_table('partner_reminders', 'account_id', colocate_with => 'partners');
select create_distributed_table('passing_events', 'account_id', colocate_with => 'partners');
select create_distributed_table('payout_accounts', 'account_id', colocate_with => 'partners');
select create_distributed_table('payouts', 'account_id', colocate_with => 'partners');
select create_distributed_table('payout_attempts', 'account_id', colocate_with => 'partners');
select create_distributed_table('payout_entries', 'account_id', colocate_with => 'partners');
select create_distributed_table('payout_reconciliations', 'account_id', colocate_with => 'partners');
select create_distributed_table('payout_settings', 'account_id', colocate_with => 'partners');
select create_distributed_table('promotion_codes', 'account_id', colocate_with => 'partners');
select create_distributed_table('provider_events', 'account_id', colocate_with => 'partners');
select create_distributed_table('provider_objects', 'account_id', colocate_with => 'partners');
select create_distributed_table('provider_payments', 'account_id', colocate_with => 'partners');
select create_distributed_table('push_requests', 'account_id', colocate_with => 'partners');
select create_distributed_table('referral_codes', 'account_id', colocate_with => 'partners');
select create_distributed_table('rehearsals', 'account_id', colocate_with => 'partners');
select create_distributed_table('shop_customers', 'account_id', colocate_with => 'partners');
select create_distributed_table('tax_thresholds', 'account_id', colocate_with => 'partners');
select create_distributed_table('total_stats', 'account_id', colocate_with => 'partners');
select create_distributed_table('transfers_read', 'account_id', colocate_with => 'partners');
select create_distributed_table('untold_entries', 'account_id', colocate_with => 'partners');
select create_distributed_table('voided_commissions', 'account_id', colocate_with => 'partners');
select create_distributed_table('wise_accounts', 'account_id', colocate_with => 'partners');
select create_distributed_table('wise_batch_payouts', 'account_id', colocate_with => 'partners');
select create_distributed_table('wise_recipients', 'account_id', colocate_with => 'partners');
