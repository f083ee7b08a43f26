-- Settings of an action as it was sent, without the kind and the ids. Null for one started by the release before, whose
-- only setting is `reason`. `refusals` now has all of them, not the first hundred.
alter table bulk_actions add column parameters jsonb;
