-- What was given or taken by hand, which no sale's figures hold: the rest of what partners earned is added up from those.
create index commission_entries_by_hand on commission_entries (account_id, partner_id) where sale_id is null;

-- What is still held of one account, which stands at the end of it.
create index commission_entries_by_due on commission_entries (account_id, available_at);

-- The partners of some days, whose rows stand among those of all days and links. Figures may change without a change of it.
create index day_stats_of_partners on day_stats (account_id, day)
  where blueprint_id = '00000000-0000-0000-0000-000000000000' and partner_id <> '00000000-0000-0000-0000-000000000000';
