-- Every key of what belongs to an account holds the account, so that its rows may lie on another machine than those of the
-- next account (docs/decisions/0021-an-account-in-one-place.md). The id stands first: a row is found by it alone, and new
-- ones, whose ids are UUIDv7, go to the end of the index. Ids themselves are told apart by how they are made.
-- An index that is already there under the name looked for here was made beforehand, while the product was running.

alter table lead_stats drop constraint lead_stats_lead_id_fkey;

do $$
declare
  name text;
begin
  foreach name in array array['account_exchange_rates', 'commission_entries', 'incoming_deliveries', 'lead_submissions',
    'leads', 'mail_news', 'outgoing_deliveries', 'promotion_codes', 'push_requests', 'refunds', 'rehearsals',
    'sale_corrections', 'sales'] loop
    execute format('create unique index if not exists %I on %I (id, account_id)', name || '_by_id', name);
    execute format('alter table %I drop constraint %I', name, name || '_pkey');
    execute format('alter table %I add constraint %I primary key using index %I', name, name || '_pkey', name || '_by_id');
  end loop;
end $$;

alter table clicks drop constraint clicks_pkey;
alter table clicks add primary key (id, account_id);

alter table lead_stats drop constraint lead_stats_pkey, add primary key (lead_id, account_id),
  add foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade;
alter table untold_entries drop constraint untold_entries_pkey, add primary key (entry_id, account_id);
alter table payout_entries drop constraint payout_entries_pkey, add primary key (payout_id, entry_id, account_id);
drop index payout_entries_live;
create unique index payout_entries_live on payout_entries (entry_id, account_id) where live;
drop index payouts_one_gathering;
create unique index payouts_one_gathering on payouts (partner_id, account_id) where status = 'gathering';
alter table partner_reminders drop constraint partner_reminders_pkey, add primary key (partner_id, kind, account_id);
