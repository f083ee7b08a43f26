-- A click is written by one statement, which itself sees to it that its partner is there (server/program/clicks/queries.ts)
-- and takes its link from the blueprint's own row. Looked for row by row, both cost more than writing the click. Of a
-- partner deleted since, a click keeps the id, which then names nobody; so no index has to find a partner's clicks.
alter table clicks drop constraint clicks_account_id_blueprint_id_fkey, drop constraint clicks_account_id_partner_id_fkey;
drop index clicks_by_partner;
