-- What was given or taken by hand, which no sale's figures hold: the rest of what partners earned is added up from those.
create index commission_entries_by_hand on commission_entries (account_id, partner_id) where sale_id is null;

-- What is still held: the ledger grows by the day, so that it stands on its last pages, and nothing is written for it row by row.
create index commission_entries_by_due on commission_entries using brin (available_at) with (pages_per_range = 32);

-- The partners of some days, whose rows stand among those of all days and links. Figures may change without a change of it.
create index day_stats_of_partners on day_stats (account_id, day)
  where blueprint_id = '00000000-0000-0000-0000-000000000000' and partner_id <> '00000000-0000-0000-0000-000000000000';
